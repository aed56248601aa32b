// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle

/// Reports to the service manager that the server works, as long as it answers, and that it stops.
struct SupervisionService: Service {
    let manager: ServiceManager
    let health: HealthCheck
    let logger: Logger

    func run() async throws {
        await withGracefulShutdownHandler {
            guard let interval = manager.watchdog else {
                try? await gracefulShutdown()
                return
            }
            // A check that takes its whole time still leaves a quarter of the interval.
            try? await cancelWhenGracefulShutdown { try await watch(every: interval / 2, patience: interval / 4) }
        } onGracefulShutdown: {
            manager.stopping()
        }
    }

    /// Reports nothing while the server hangs, so that the manager restarts it.
    private func watch(every interval: Duration, patience: Duration) async throws {
        while true {
            let report = await health.life(within: patience)
            if report.isGood {
                manager.alive()
            } else {
                logger.error(
                    "the server does not respond, so the watchdog is not notified",
                    metadata: ["reason": "\(report.text)"])
                manager.tell(status: "no response from: \(report.text)")
            }
            try await Task.sleep(for: interval)
        }
    }
}

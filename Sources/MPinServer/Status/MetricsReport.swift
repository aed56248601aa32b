// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage

struct MetricsReport: Sendable {
    let server: any RequestServer
    let workers: WorkerPools
    let health: HealthCheck
    let connections: [Connections]
    /// Nil without a port for metrics.
    let port: ListenerState?
    /// When the server's certificate expires, in seconds since 1970; nil without TLS.
    let certificateEnd: @Sendable () -> Int64?

    /// The metrics in Prometheus' text format. Values that the database does not provide in time are left out.
    func text() async -> String {
        async let parts = health.all().parts
        let metrics = server.metrics
        let counts = metrics.counts
        var report = PrometheusText()
        report.add("mpin_build_info", .gauge, "The version of the server.", [(["version": ListeningServer.version], 1)])
        if server.role != .authority { addLogins(counts, to: &report) }
        report.add(
            "mpin_requests_total", .counter, "Requests that were answered since the start.",
            counts.requests.sorted {
                ($0.key.requestClass.rawValue, $0.key.status) < ($1.key.requestClass.rawValue, $1.key.status)
            }.map { (["class": $0.key.requestClass.rawValue, "status": String($0.key.status)], $0.value) })
        report.add(
            "mpin_rate_limited_requests_total", .counter, "Requests that were answered 429 since the start.",
            Double(counts.requests.reduce(0) { $1.key.status == 429 ? $0 + $1.value : $0 }))
        report.add(
            "mpin_connections", .gauge, "Open connections of clients.", Double(connections.reduce(0) { $0 + $1.count }))
        report.add(
            "mpin_queue_length", .gauge,
            "Waiting items: requests for a thread, by class; writes for a commit; audit "
                + "events to be written; mails to be sent.",
            queues.sorted { $0.key < $1.key }.map { (["queue": $0.key], $0.value) })
        report.add(
            "mpin_database_commit_seconds", "Duration of database commits since the start.", metrics.commits.counts)
        report.add(
            "mpin_healthy", .gauge, "Whether a part of the server works, as in /healthz.",
            await parts.map { (["part": $0.part.rawValue], $0.fault == nil ? 1 : 0) })
        if let port {
            report.add(
                "mpin_metrics_port_open", .gauge, "Whether the server has opened the port of metrics_listen.",
                port.fault == nil ? 1 : 0)
        }
        let server = server
        let workers = workers
        let blocked = await BoundedWait.answer(within: HealthCheck.patience) {
            try await workers.run(.reading) { server.role == .authority ? nil : try server.blockedUsers() }
        }
        if let blocked = blocked ?? nil {
            report.add(
                "mpin_blocked_users", .gauge, "Users with a device that is blocked after wrong PINs.", Double(blocked))
        }
        if let time = counts.lastBackup {
            report.add(
                "mpin_last_backup_timestamp_seconds", .gauge, "When the last backup was made, read every ten minutes.",
                Double(time.seconds))
        }
        if let end = certificateEnd() {
            report.add(
                "mpin_certificate_expiry_timestamp_seconds", .gauge, "When the server's certificate expires.",
                Double(end))
        }
        return report.text
    }

    private func addLogins(_ counts: ServerMetrics.Counts, to report: inout PrometheusText) {
        report.add(
            "mpin_logins_total", .counter, "Direct logins and second passes since the start, by result.",
            ServerMetrics.Login.allCases.map { (["result": $0.rawValue], counts.logins[$0] ?? 0) })
        report.add(
            "mpin_registrations_total", .counter, "Registrations since the start, by result.",
            ServerMetrics.Registration.allCases.map { (["result": $0.rawValue], counts.registrations[$0] ?? 0) })
    }

    private var queues: [String: Int] {
        var lengths = server.queueLengths
        for (requestClass, length) in workers.waiting { lengths[requestClass.rawValue] = length }
        return lengths
    }
}

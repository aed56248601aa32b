internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Reads again on SIGHUP what may change while a server runs. Whatever it finds, the server goes on.
struct ReloadService: Service {
    let directory: ServerDirectory
    let configuration: String?
    let reloadCertificates: @Sendable () throws(ServerFault) -> Bool
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { reload() }
    }

    private func reload() {
        do throws(ServerFault) {
            if try reloadCertificates() { logger.notice("certificate and key were read again") }
        } catch {
            logger.error("the certificate from before stays in use: \(error.message)", metadata: Self.hint(error))
        }
        do throws(ServerFault) {
            _ = try directory.readConfiguration(file: configuration)
            logger.notice("the configuration is in order; what changed in it holds from the next start on")
        } catch {
            logger.error("the configuration from before stays in use: \(error.message)", metadata: Self.hint(error))
        }
    }

    private static func hint(_ fault: ServerFault) -> Logger.Metadata {
        fault.hint.isEmpty ? [:] : ["hint": "\(fault.hint)"]
    }
}

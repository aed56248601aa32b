// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinServerStorage
internal import ServiceLifecycle
internal import SystemFiles
internal import UnixSignals

/// Reloads on SIGHUP the settings that may change while a server runs. The server continues in any case.
struct ReloadService: Service {
    let directory: ServerDirectory
    let configuration: String?
    let server: any RequestServer
    /// Each SIGHUP, from before the server reported that it was ready.
    let signals: UnixSignalsSequence
    let log: LogOutput
    /// Nil if there is no service manager to notify.
    let manager: ServiceManager?
    /// The state of the server, for the service manager.
    let summary: @Sendable () -> String
    let reloadCertificates: @Sendable () throws(ServerError) -> Bool
    let logger: Logger

    func run() async throws {
        // A file that is briefly missing, for example while it is being replaced, does not mean that the defaults
        // apply.
        var wasThere = isThere
        for await _ in signals.cancelOnGracefulShutdown() {
            manager?.reloading()
            reload(wasThere: wasThere)
            // Also if the earlier configuration stays in use, because the server answers.
            manager?.ready(summary())
            wasThere = wasThere || isThere
        }
    }

    private var file: String { configuration ?? directory.configuration }

    private var isThere: Bool { FileFacts.isThere(file) }

    private func reload(wasThere: Bool) {
        do throws(ServerError) {
            if try reloadCertificates() { logger.notice("reloaded the certificate and its key") }
        } catch { logger.error("keeping the previous certificate: \(error.message)", metadata: Self.hint(error)) }
        do throws(ServerError) {
            guard isThere || !wasThere else {
                throw ServerError(
                    .configuration, "\(file) no longer exists", hint: "To use the defaults, create an empty file there."
                )
            }
            let (wanted, faults) = try directory.readWholeConfiguration(file: configuration)
            guard faults.isEmpty else { return faults.forEach(keep) }
            let change = try server.apply(wanted)
            log.adopt(wanted.logFormat)
            report(change)
        } catch { keep(error) }
    }

    private func keep(_ fault: ServerError) {
        logger.error("keeping the previous configuration: \(fault.message)", metadata: Self.hint(fault))
    }

    private func report(_ change: ConfigurationChange) {
        let applied = change.applied.isEmpty ? "no setting has changed" : "now in effect: \(change.applied.list)"
        logger.notice("reloaded the configuration; \(applied)")
        if !change.heldBack.isEmpty {
            logger.warning("\(change.heldBack.list) will take effect after a restart of the server")
        }
    }

    private static func hint(_ fault: ServerError) -> Logger.Metadata {
        fault.hint.isEmpty ? [:] : ["hint": "\(fault.logHint)"]
    }
}

extension [String] { fileprivate var list: String { joined(separator: ", ") } }

// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage
import Synchronization

/// A second authority on a host of its own: one master share, for one relying party on another host.
final class AuthorityServer: RequestServer {
    let opened: OpenedDirectory
    private let service: AuthorityService
    private let active: Mutex<ServerConfiguration>

    init(
        _ directory: ServerDirectory, settings configuration: ServerConfiguration, clock: ServerClock = .system,
        logger: Logger
    ) throws(ServerError) {
        opened = try OpenedDirectory(directory, clock: clock, logger: logger)
        service = try AuthorityService(opened.vault, audit: opened.audit, clock: clock, logger: logger)
        active = Mutex(configuration)
        LockedMemory.check([service.isLocked, opened.vault.root.isLocked], logger)
    }

    var signingKey: ServerSigningKey? { nil }

    var configuration: ServerConfiguration { active.withLock { $0 } }

    /// Clients know its address from the relying party.
    var publicURL: String { "" }

    var probe: (target: String, status: Int) { AuthorityService.probe }

    var queueLengths: [String: Int] { ["commit": opened.store.waitingWrites, "audit": opened.audit.length] }

    func route(_ request: Request) -> RoutedRequest { service.route(request) }

    func apply(_ wanted: ServerConfiguration) throws(ServerError) -> ConfigurationChange {
        let change = ConfigurationChange(from: configuration, to: wanted)
        active.withLock { $0 = change.applicable }
        return change
    }

    func flush() { opened.audit.flush() }

    func finish() { opened.audit.finish(within: .seconds(5)) }
}

internal import Logging
internal import MPinCrypto
import Synchronization

/// A second authority by itself: one master share, for one relying party on another host.
final class AuthorityServer: RequestServer {
    let opened: OpenedDirectory
    private let service: AuthorityService
    private let active: Mutex<ServerConfiguration>

    /// - Throws: ``ServerFault``, also for a directory that holds anything else.
    init(
        _ directory: ServerDirectory, settings configuration: ServerConfiguration, clock: ServerClock = .system,
        logger: Logger
    ) throws(ServerFault) {
        opened = try OpenedDirectory(directory, clock: clock, logger: logger)
        guard opened.role == .authority else { throw ServerRole.isNoAuthority(directory.path) }
        service = try AuthorityService(opened)
        active = Mutex(configuration)
        LockedMemory.check([service.authority.isLocked, opened.root.isLocked], logger)
    }

    var configuration: ServerConfiguration { active.withLock { $0 } }

    /// Clients know its address from the relying party.
    var publicURL: String { "" }

    /// A question without anything in it.
    var probe: (target: String, status: Int) { (AuthorityEndpoint.serverSecret.path, 403) }

    var queueLengths: [String: Int] { ["commit": opened.store.group.length, "audit": opened.audit.length] }

    func route(_ request: Request) -> RoutedRequest {
        let endpoint = AuthorityEndpoint(path: request.path)
        return RoutedRequest(endpoint?.requestClass ?? .reading) { [self] in .now(response(to: request, endpoint)) }
    }

    func apply(_ wanted: ServerConfiguration) throws(ServerFault) -> ConfigurationChange {
        let change = ConfigurationChange(from: configuration, to: wanted)
        active.withLock { $0 = change.applicable }
        return change
    }

    func flush() { opened.audit.flush() }

    func finish() { opened.audit.finish(within: .seconds(5)) }

    private func response(to request: Request, _ endpoint: AuthorityEndpoint?) -> Response {
        // Web clients ask from pages of the relying party. No cookie lets anybody in here, but the signature in the query
        // alone, so that any page may read the answer to one that it has.
        plainResponse(to: request, endpoint).adding([(name: "Access-Control-Allow-Origin", value: "*")])
    }

    private func plainResponse(to request: Request, _ endpoint: AuthorityEndpoint?) -> Response {
        do {
            if request.method == "OPTIONS" { return .empty }
            guard let endpoint else { throw Refusal.unknownPath }
            guard request.method == "GET" else { throw Refusal(405, "METHOD NOT ALLOWED", allowed: "GET") }
            return try endpoint.answer(request, by: service)
        } catch let refusal as Refusal {
            if refusal.status == 401 {
                // Of a relying party that has another key now, or of a thief who has the former one.
                opened.audit.note(
                    .refused, at: opened.clock.now, user: nil, source: request.source,
                    detail: "not signed with the key of the relying party")
            }
            return LoginPage.stray(refusal, request, root: nil) ?? .refusal(refusal)
        } catch {
            let fault = error as? ServerFault
            opened.logger.error("request failed", metadata: ["reason": "\(fault?.message ?? "\(error)")"])
            return .refusal(fault?.kind == .unavailable ? .locked : .failure)
        }
    }
}

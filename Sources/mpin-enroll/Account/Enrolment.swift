import CMPinSystem
import Glibc
import MPin

/// One account of this machine and its server, as a command works on it.
struct Enrolment {
    let configuration: Configuration
    let account: String
    /// The identity for a new registration.
    let identity: String
    /// Whether it was named on the command line.
    private let isNamed: Bool
    let server: String?

    init(_ options: CommonOptions) throws(CommandFailure) {
        configuration = try options.configuration()
        account = try Enrolment.account(options)
        isNamed = options.identity != nil
        if let identity = options.identity {
            self.identity = identity
        } else if let map = configuration.userMap {
            guard let identity = map.identity(for: account) else {
                throw CommandFailure(.configuration, "CONFIGURATION", "user_map gives this account no identity.")
            }
            self.identity = identity
        } else {
            identity = account
        }
        server = configuration.server
    }

    private static func account(_ options: CommonOptions) throws(CommandFailure) -> String {
        let isRoot = geteuid() == 0
        if let user = options.user {
            // With a store of one's own any name may be tried; the system's store belongs to root.
            guard isRoot || options.store != nil || user == ownName() else {
                throw CommandFailure(
                    .notPermitted, "NOT_PERMITTED", "Only root may work on another account.", hint: "Use sudo.")
            }
            return user
        }
        if isRoot, let caller = unsafe getenv("SUDO_USER") { return unsafe String(cString: caller) }
        guard let name = ownName() else {
            throw CommandFailure(
                .notEnrolled, "INVALID", "This user has no account name.", hint: "Name the account with --user.")
        }
        return name
    }

    private static func ownName() -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let length = unsafe mpin_account_name(mpin_real_uid(), &buffer, buffer.count)
        guard length > 0 else { return nil }
        return String(decoding: buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Opens the account's identities.
    func open(_ area: FileStore.Area = .users, create: Bool = false) throws(CommandFailure) -> MPin {
        do {
            let store = try FileStore(
                directory: configuration.store, account: account, area: area, create: create)
            return try MPin(store: store, options: configuration.transport)
        } catch { throw CommandFailure(error, creating: create) }
    }

    /// The registration of this identity at the server, or at the only one where it has one.
    func registration(in client: borrowing MPin) throws(CommandFailure) -> User? {
        try single(client.allUsers.filter { isAtServer($0) && $0.identity == identity }, client)
    }

    /// The registration that a command means: of the identity it names, else the account's only one.
    private func meant(in client: borrowing MPin) throws(CommandFailure) -> User? {
        let candidates = client.allUsers.filter { isAtServer($0) && (!isNamed || $0.identity == identity) }
        return try candidates.count > 1 ? registration(in: client) : single(candidates, client)
    }

    private func isAtServer(_ user: User) -> Bool {
        normalServer == nil || user.backend == normalServer
    }

    private func single(_ candidates: [User], _ client: borrowing MPin) throws(CommandFailure) -> User? {
        guard candidates.count <= 1 else {
            throw CommandFailure(
                .usage, "USAGE", "This identity is registered at several servers.", hint: "Name one with --server.")
        }
        if let found = candidates.first { return found }
        guard client.recordsSetAside == 0 else {
            throw CommandFailure(
                .storage, "STORAGE_ERROR", "A record of this account cannot be read; it has been left as it is.")
        }
        return nil
    }

    /// The registration that a command needs.
    func existing(in client: borrowing MPin) throws(CommandFailure) -> User {
        guard let user = try meant(in: client) else { throw CommandFailure.notEnrolled(account) }
        return user
    }

    /// The server's address in the form in which it is stored.
    var normalServer: String? { server.flatMap { Backend($0)?.text } }

    /// The server for a new registration.
    func requiredServer() throws(CommandFailure) -> String {
        guard let server else {
            throw CommandFailure(
                .usage, "USAGE", "No server is configured.",
                hint: "Name one with --server, or in /etc/mpin/mpin.conf.")
        }
        return server
    }
}

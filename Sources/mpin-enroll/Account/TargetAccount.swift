// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinAgent
import MPinConfiguration
import MPinCrypto
import SystemFiles

/// The Unix account that a command works on, with the configured server and the identity there.
struct TargetAccount {
    private(set) var records: AccountRecords
    /// The place of a new registration's key; nil for the place in the configuration.
    private var newKey: NewDeviceKeyPlace? { didSet { if let newKey { records.transport.newKey = newKey } } }

    var configuration: Configuration { records.configuration }
    var account: String { records.account }
    /// The identity that a new registration gets.
    var identity: String { records.identity }
    var server: String? { records.server }

    /// Whether a new registration must have its key in the TPM.
    var demandsTPM: Bool { if case .tpm = newKey { true } else { false } }

    /// Whether the server may be one of 2016, which has no device keys.
    var acceptsOldServer: Bool { records.transport.acceptsOldServer }

    /// - Parameter mayBeGone: whether to accept an account that has records but no longer exists.
    init(_ options: CommonOptions, mayBeGone: Bool = false) throws(CommandFailure) {
        let configuration = try options.configuration()
        try self.init(
            configuration,
            account: TargetAccount.account(options, mayBeGone ? configuration.store : nil), identity: options.identity)
    }

    init(_ configuration: Configuration, account: String, identity: String? = nil) throws(CommandFailure) {
        guard identity != "" else { throw CommandFailure.emptyIdentity }
        guard var records = AccountRecords(configuration, account: account, identity: identity) else {
            throw CommandFailure(
                .configuration, "CONFIGURATION", "user_map has no identity for the account \(account).",
                advice: Advice("Use --identity NAME, or change user_map in the configuration."))
        }
        records.transport.watch = ProgressNotice.watch
        self.records = records
        if let server { ProgressNotice.name(server) }
    }

    /// A copy with the identity and the server of one of the account's registrations.
    func of(_ user: RegistrationSummary) -> TargetAccount {
        var copy = self
        copy.records = AccountRecords(records, of: user)
        return copy
    }

    /// A copy whose new registrations have their keys in the place that an option requires, or none if it allows that.
    func demanding(_ key: KeyOptions) -> TargetAccount {
        var copy = self
        if key.tpm { copy.newKey = .tpm }
        if key.oldServer { copy.records.transport.acceptsOldServer = true }
        return copy
    }

    /// A copy whose new registration has its key in the TPM if the replaced one has, and if the TPM is usable.
    func keepingKeyPlace(of user: User) -> TargetAccount {
        guard newKey == nil, user.keyPlace == .tpm else { return self }
        var copy = self
        copy.newKey = .tpmIfUsable
        return copy
    }

    /// - Parameter store: a store that may have records of an account that no longer exists; `nil` to require the
    ///   account.
    private static func account(_ options: CommonOptions, _ store: String?) throws(CommandFailure) -> String {
        if let given = options.user {
            let name = try known(given, store)
            // With --store any account may be named; the system's store belongs to root.
            guard geteuid() == 0 || options.store != nil || name == AccountName.own else {
                throw CommandFailure(
                    .notPermitted, "NOT_PERMITTED", "Only root may work on another account.", advice: Advice.useSudo)
            }
            return name
        }
        if let caller = AccountName.caller { return try known(caller, store) }
        guard let name = AccountName.own else {
            throw CommandFailure(
                .notEnrolled, "INVALID", "This user has no account name.", advice: Advice("Use --user NAME."))
        }
        return name
    }

    private static func known(_ given: String, _ store: String?) throws(CommandFailure) -> String {
        if let name = AccountName.canonical(given) { return name }
        if let store, let names = try? FileStore.accountNames(in: store), names.contains(given) { return given }
        throw CommandFailure(
            .notEnrolled, "NO_SUCH_ACCOUNT", "There is no account '\(given)' on this machine.",
            advice: Advice("Check the spelling. List the accounts: getent passwd"))
    }

    /// - Parameters:
    ///   - create: whether to create a missing store and to set unreadable files aside.
    ///   - advice: the hint of the failure when the account is not enrolled.
    func open(
        _ area: FileStore.Area = .users, create: Bool = false, advice: Advice = CommandFailure.register
    ) throws(CommandFailure) -> MPinClient {
        if create {
            do throws(StoreError) { try setAsideUnreadable(area) } catch {
                throw CommandFailure(
                    ActionFailure(.store, store: error), for: self, area, creating: true, advice: advice)
            }
        }
        do throws(ActionFailure) { return try records.open(area, create: create) } catch {
            throw CommandFailure(error, for: self, area, creating: create, advice: advice)
        }
    }

    private func setAsideUnreadable(_ area: FileStore.Area) throws(StoreError) {
        let limit = Deadline(millisecondsFromNow: configuration.timeoutSeconds * 1000)
        guard let name = try records.store(area, create: true).setAsideUnreadable(until: limit) else { return }
        let records = StoreLocation(directory: configuration.store, account: account, area: area).records
        Terminal.say("mpin-enroll: \(records) could not be read completely.")
        Terminal.say("Its content is kept in \(configuration.store)/\(name).")
    }

    /// The registration of ``identity`` at the configured server; without one, its only registration at any server.
    func registration(in client: borrowing MPinClient) throws(CommandFailure) -> User? {
        do throws(ActionFailure) { return try records.registration(in: client) } catch {
            throw CommandFailure(error, for: self)
        }
    }

    /// The registration that a command works on, or a failure when there is none.
    func existing(
        in client: borrowing MPinClient, advice: Advice = CommandFailure.register
    ) throws(CommandFailure) -> User {
        do throws(ActionFailure) {
            let user = try records.existing(in: client)
            ProgressNotice.name(user.backend)
            return user
        } catch { throw CommandFailure(error, for: self, advice: advice) }
    }

    /// The files with records of the account that could not be read and were set aside.
    var filesAside: [String] {
        let all = (try? FileStore.unreadableFiles(in: configuration.store)) ?? []
        return all.filter { $0.account == account }.map(\.path).sorted()
    }

    /// The server's address in the form in which it is stored.
    var normalServer: String? { records.normalServer }

    /// The file that programs lock to change the account's records.
    var lock: String { StoreLocation(directory: configuration.store, account: account).lock }

    /// A copy with the server for a new registration: the configured one, or that of the invitation, which the user can
    /// type.
    ///
    /// - Parameters:
    ///   - code: the source of the code. It gets the code of a typed invitation.
    ///   - mayAsk: whether the user may be asked.
    func choosingServer(_ code: inout CodeSource, mayAsk: Bool) throws(CommandFailure) -> TargetAccount {
        // The agent enrolls a user who may not write the store only at the configured server.
        let isOthers = unsafe geteuid() != 0 && access(configuration.store, W_OK) != 0
        code.server = normalServer
        let invitation = try code.readInvitation()
        try invitation?.require(normalServer)
        guard server == nil, !isOthers else { return self }
        if let address = invitation?.server { return at(address) }
        guard mayAsk, let terminal = Terminal() else { return self }
        Terminal.say("Paste the invitation (HOST/CODE). It names the server.")
        if FileFacts.isThere("/usr/sbin/mpin-server") {
            Terminal.say("To make this machine its own server, press Ctrl-C and run: sudo mpin-server setup")
        }
        while true {
            guard let answer = terminal.ask("Invitation: ") else {
                throw CommandFailure.canceled(Advice("Nothing was changed. Start again", "register"))
            }
            let typed: Invitation
            do throws(CommandFailure) { typed = try Invitation(answer) } catch {
                // Perhaps it is only the address.
                let address = CommonOptions.serverAddress(answer.filter { !$0.isWhitespace })
                if !Invitation.looksLikeOne(answer), Backend(address) != nil { return at(address) }
                Terminal.say(error.message)
                Terminal.say("An invitation is HOST[:PORT]/CODE.")
                Terminal.say("A server's address alone is HOST[:PORT] or unix:PATH.")
                continue
            }
            code = .typed(typed.code, like: code)
            if let address = typed.server { return at(address) }
            Terminal.say("That is an invitation code. Now type the server's address.")
        }
    }

    private func at(_ server: String) -> TargetAccount {
        var copy = self
        copy.records.server = server
        ProgressNotice.name(server)
        return copy
    }

    /// The key that a server must have; nil if it is not the server of the configuration.
    ///
    /// - Parameter server: an address in the form in which it is stored.
    func configuredServerKey(of server: String?) -> KeyFingerprint? {
        guard let server, configuration.server.flatMap({ Backend($0)?.text }) == server else { return nil }
        return configuration.serverKey.flatMap { KeyFingerprint($0) }
    }

    func requiredServer() throws(CommandFailure) -> String {
        guard let server else {
            throw CommandFailure(
                .configuration, "CONFIGURATION", "No server is configured.",
                advice: Advice("Set 'server = ADDRESS' in \(configuration.file), or use --server ADDRESS.")
                    .adding("Set up a server on this machine: sudo mpin-server setup"))
        }
        return server
    }
}

extension TargetAccount {
    /// Does work that changes the account's enrollment while no other program does: from before the records are read
    /// until the last answer of the server.
    ///
    /// - Parameter create: whether a missing store is created.
    func inTurn<Result>(
        create: Bool = false, _ work: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        let turn: EnrollmentTurn?
        do throws(ActionFailure) { turn = try records.turn(create: create) } catch {
            throw CommandFailure(error, for: self, creating: create)
        }
        return try withExtendedLifetime(turn) { () throws(CommandFailure) in try work() }
    }

    /// Checks that the records have room for another registration or a recovery, before the server creates one.
    func requireRoom(in client: borrowing MPinClient, forRecovery: Bool = false) throws(CommandFailure) {
        do throws(MPinError) { if try client.hasRoom(forRecovery: forRecovery) { return } } catch {
            throw CommandFailure(error)
        }
        let place = StoreLocation(directory: configuration.store, account: account)
        throw CommandFailure(
            .storage, "STORAGE_ERROR",
            "There is no room for another enrollment in \(place.records). The server was not asked, and no code was "
                + "used.", advice: CommandFailure.makeRoom)
    }
}

extension CommandFailure {
    /// The failure that another program is changing the account's enrollment.
    static func isEnrolling(_ place: StoreLocation) -> CommandFailure {
        let holder = LockHolder(place.turn)?.process
        let number = holder.map { " (process \($0))" } ?? ""
        let look = holder.map { " Check what it is doing: ps -fp \($0)" } ?? ""
        return CommandFailure(
            .tryLater, "STORAGE_ERROR",
            "Another mpin-enroll is changing the enrollment of \(place.account)\(number).",
            advice: Advice("Wait for it, then try again." + look))
    }

    static let makeRoom = Advice(
        "Remove one that is no longer needed (mpin-enroll remove --identity IDENTITY). List them", "list")
}

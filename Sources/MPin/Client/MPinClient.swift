internal import MPinCrypto
package import MPinWire

/// The M-Pin client: identities of one account, their registration at a server, and their logins.
///
/// The calls and their order are those of the Milagro mobile SDK; what fails throws an ``MPinError`` whose
/// ``MPinError/code`` has the Milagro status. Nothing runs in the background: each call is over when it returns, within
/// ``TransportOptions/timeoutMilliseconds``.
///
/// Milagro: `MPin`
public struct MPinClient: ~Copyable {
    var store: FileStore
    var options: TransportOptions
    var transport: HTTPTransport?
    /// The server in use, once its settings are known.
    var server: Server?

    /// The path below which the chosen server's protocol lies, without slashes.
    var rpsPrefix = MPinClient.standardPrefix

    /// The server in use.
    ///
    /// Milagro: `GetBackend`
    public internal(set) var backend: Backend?

    /// All identities of the account, whatever their server.
    ///
    /// Milagro: `ListAllUsers`
    public internal(set) var allUsers: [User]

    /// How many records of the account could not be read; they are left as they are. At least 1, too, where the account
    /// has no file but one that could not be read and was put aside.
    ///
    /// Milagro: none
    public let recordsSetAside: Int

    /// Whether it is proven that the account is not enrolled: it has neither a file with registrations nor one that was
    /// put aside because it could not be read.
    ///
    /// Milagro: none
    public let isNewAccount: Bool

    /// Whether all there is of the account is a file that was put aside.
    package let isPutAside: Bool

    /// The limit for the whole login, where several calls share one.
    package var overallDeadline: Deadline?

    /// Opens an account's identities.
    ///
    /// - Parameters:
    ///   - store: the account's part of the store. No file in it means that the account is not enrolled, which is no
    ///     error here.
    ///   - options: how servers are reached.
    /// - Throws: ``StoreError`` if the account's file cannot be read. One unreadable record is no error: see
    ///   ``recordsSetAside``.
    ///
    /// Milagro: `Init`
    public init(store: consuming FileStore, options: TransportOptions = TransportOptions()) throws(StoreError) {
        do throws(StoreError) {
            (allUsers, recordsSetAside) = try RecordFile.load(store)
            (isNewAccount, isPutAside) = (false, false)
        } catch .notEnrolled {
            // The account was enrolled, and its file could not be read: treated as damaged until an administrator has
            // acted.
            isPutAside = try store.hasRecordsAside()
            (allUsers, recordsSetAside, isNewAccount) = ([], isPutAside ? 1 : 0, !isPutAside)
        }
        self.store = store
        self.options = options
        for user in allUsers { readLastContact(of: user) }
    }

    /// A new identity in state INVALID; nothing is stored and nothing is sent.
    package func makeUser(_ identity: ByteText, deviceName: ByteText) -> User {
        User(StoredUser(identity: identity, deviceName: deviceName), state: .invalid)
    }

    /// Forgets an identity: its record and token are erased and it becomes INVALID. No request is made.
    ///
    /// A user that is not one of ``allUsers`` is left alone.
    ///
    /// - Parameter user: the identity to forget.
    /// - Throws: FLOW_ERROR when another process has changed the registration since it was read: the user then shows
    ///   what is stored now, and can be deleted by another call.
    ///
    /// Milagro: `DeleteUser`
    public mutating func deleteUser(_ user: User) throws(MPinError) {
        guard isListed(user) else { return }
        try withStoreLock { client throws(MPinError) in
            try client.reread()
            guard client.isListed(user) else { return }
            try client.requireUnchanged(user)
            try client.stored { store throws(StoreError) in try RecordFile.remove(user, from: store) }
            client.allUsers.removeAll { $0 === user }
            client.forgetLogins(of: user)
            user.forget()
        }
    }

    /// Forgets what logins of a deleted registration have left beside the records. What lies there belongs to the
    /// registrations in use: deleting one of the staging area leaves it, a refusal by the server included.
    private func forgetLogins(of user: User) {
        guard store.area == .users else { return }
        if allUsers.isEmpty { store.removeCache() }
        forgetAttempts(at: user)
    }

    /// Forgets all identities in memory: each becomes INVALID. What is stored stays, for the next client that is
    /// opened.
    ///
    /// Milagro: `ClearUsers`
    public mutating func clearUsers() {
        for user in allUsers { user.forget() }
        allUsers = []
    }

    func isListed(_ user: User) -> Bool {
        for listed in allUsers where listed === user { return true }
        return false
    }

    /// When a call that begins now must be over.
    func deadline() -> Deadline {
        overallDeadline ?? Deadline(millisecondsFromNow: options.timeoutMilliseconds)
    }

    /// Runs an operation on the store and converts its `StoreError` to ``MPinError``.
    func stored(_ work: (borrowing FileStore) throws(StoreError) -> Void) throws(MPinError) {
        do { try work(store) } catch { throw MPinError(error) }
    }

    @inline(never)
    func readLastContact(of user: User) {
        guard let mpinID = user.record.mpinID else { return }
        let last = CachedLogin.read(mpinID: mpinID, from: store).record
        (user.attemptsLeft, user.wrongSinceLastLogin) = (last.attemptsLeft, last.wrongSinceLastLogin)
        user.forgetRefusal()
        for status in MPinStatus.lasting where last.refusal?.matches(status.name) ?? false {
            (user.lastRefusal, user.refusalReasonText, user.refusalTime) = (status, last.reason, last.refusalTime)
        }
    }
}

extension MPinStatus {
    /// The refusals that hold until the server says otherwise.
    static var lasting: [MPinStatus] { [.revoked, .clientSecretExpired] }
}

extension MPinError {
    /// The failure of the SDK for one of the store.
    init(_ error: StoreError) {
        switch error {
        case .notEnrolled: self.init(.flowError, "This account is not enrolled.")
        case .noStore: self.init(.storageError, "There is no M-Pin store on this machine.")
        case .notPermitted: self.init(.storageError, "This user may not change the M-Pin store.")
        case .unsafe: self.init(.storageError, "A file or directory of the M-Pin store is unsafe.")
        case .damaged: self.init(.storageError, "The M-Pin store is damaged.")
        case .failed(let errno): self.init(ofStore: errno)
        case .badAccountName: self.init(.storageError, "This account's name cannot be enrolled.")
        case .busy:
            self.init(
                .storageError, "Another program is changing this registration: try again in a moment.", cause: .caller)
        case .noMemory: self.init(.cryptoError, "There is not enough memory for secrets.", cause: .caller)
        #if !hasFeature(Embedded)
        case .full:
            self.init(
                .storageError, "This account's file has no room for another registration.", cause: .fullRecords)
        #endif
        }
    }
}

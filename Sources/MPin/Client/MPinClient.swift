// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinWire

/// The M-Pin client: the identities of one account, their registrations at servers, and their logins.
///
/// The calls and their order are those of the Milagro mobile SDK. A call that fails throws an ``MPinError`` whose
/// ``MPinError/code`` is the Milagro status. Nothing runs in the background: each call is finished when it returns,
/// within ``TransportOptions/timeoutMilliseconds``.
///
/// Milagro: `MPin`
public struct MPinClient: ~Copyable {
    /// The version of this library.
    ///
    /// Milagro: `GetVersion`
    public static var version: String { "0.1.0" }

    #if hasFeature(Embedded)
    var known: KnownAccount
    #else
    private let reference: AccountReference

    /// What this client knows of the account's part of the store.
    var known: KnownAccount {
        get { reference.account }
        nonmutating set { reference.account = newValue }
    }
    #endif

    let store: AccountStore
    var options: TransportOptions
    var transport: HTTPTransport?
    /// The server in use, once its settings are known.
    var server: Server?
    /// The key that the server in use has proven to this client, 65 bytes; empty if it has not.
    var provenKey: [UInt8] = []

    /// The path of the chosen server's protocol, without slashes.
    var rpsPrefix = MPinClient.standardPrefix

    /// The server in use.
    ///
    /// Milagro: `GetBackend`
    public internal(set) var backend: Backend?

    /// Whether a PIN with another number of digits than the registration's is sent, so that the answer does not reveal the
    /// number.
    package var sendsEveryPIN = false

    /// Whether a registration may replace one at the same address that belongs to another server's key, if an enrollment
    /// code has proven the new key. Only for a code that the administrator of this machine vouches for.
    package var acceptsProvenKey = false

    #if hasFeature(Embedded)
    var stop: Int32 { 0 }
    #else
    /// A descriptor that ends calls when there is something to read from it; 0 for none.
    package var stop: Int32 = 0 { didSet { store.stop(at: stop) } }
    #endif

    /// The deadline of the whole login, if several calls share one.
    package var overallDeadline: Deadline?

    /// Opens an account's identities.
    ///
    /// - Parameters:
    ///   - store: the account's part of the store. Without a file the account is not enrolled; that is not an
    ///     error here.
    ///   - options: how to reach servers.
    init(in store: AccountStore, options: TransportOptions) throws(StoreError) {
        #if hasFeature(Embedded)
        known = try KnownAccount(store)
        #else
        reference = AccountReference(try KnownAccount(store))
        #endif
        self.store = store
        self.options = options
        for user in known.users { readLastContact(of: user) }
    }

    /// Makes a new identity in state INVALID; nothing is stored and nothing is sent.
    ///
    /// - Parameters:
    ///   - identity: the user's name at the server, usually a mail address.
    ///   - deviceName: the name of this machine in the server's lists.
    ///
    /// Milagro: `MakeNewUser`
    public func makeUser(_ identity: String, deviceName: String = "") -> User {
        User(StoredUser(identity: ByteText(identity), deviceName: ByteText(deviceName)), state: .invalid)
    }

    /// Deletes an identity: its record and token are erased and it becomes INVALID. Nothing is sent.
    ///
    /// A user that is not one of ``allUsers`` is ignored.
    ///
    /// - Parameter user: the identity to delete.
    /// - Throws: FLOW_ERROR if another process has changed the registration since it was read. The user then shows what
    ///   is stored now, and another call can delete it.
    ///
    /// Milagro: `DeleteUser`
    public mutating func deleteUser(_ user: User) throws(MPinError) {
        guard isListed(user) else { return }
        try withStoreLock { client throws(MPinError) in
            try client.reread()
            guard client.isListed(user) else { return }
            try client.requireUnchanged(user)
            try client.stored { store throws(StoreError) in try RecordFile.remove(user, from: store) }
            client.known.users.removeAll { $0 === user }
            client.forgetLogins(of: user)
            user.forget()
        }
    }

    /// Deletes the cached login data of a deleted registration. The cache belongs to the registrations in use: deleting
    /// a registration in the staging area keeps it, including a refusal by the server.
    private func forgetLogins(of user: User) {
        guard store.area == .users else { return }
        if allUsers.isEmpty { store.removeCache() }
        forgetAttempts(at: user)
    }

    /// Forgets all identities in memory: each becomes INVALID. The store keeps them for the next client that opens it.
    /// This client then lists only those that it registers itself.
    ///
    /// Milagro: `ClearUsers`
    public mutating func clearUsers() {
        for user in known.users { user.forget() }
        known.users = []
        #if !hasFeature(Embedded)
        known.followsStore = false
        #endif
    }

    func isListed(_ user: User) -> Bool {
        for listed in known.users where listed === user { return true }
        return false
    }

    /// The deadline of a call that begins now.
    func deadline() -> Deadline { overallDeadline ?? deadline(milliseconds: options.timeoutMilliseconds) }

    /// A deadline of its own for a part of a call.
    func deadline(milliseconds: Int) -> Deadline { Deadline(millisecondsFromNow: milliseconds, stop: stop) }

    /// Runs an operation on the store and converts its `StoreError` to ``MPinError``.
    func stored(_ work: (AccountStore) throws(StoreError) -> Void) throws(MPinError) {
        do { try work(store) } catch { throw MPinError(error, in: store) }
    }

    @inline(never)
    func readLastContact(of user: User) {
        guard let mpinID = user.record.mpinID else { return }
        let last = CachedLogin.read(mpinID: mpinID, from: store).record
        (user.attemptsLeft, user.wrongSinceLastLogin) = (last.attemptsLeft, last.wrongSinceLastLogin)
        if !user.hasDeviceKey { user.offersDeviceKey = last.settings?.offersDeviceKey ?? false }
        user.forgetRefusal()
        for status in MPinStatus.lasting where last.refusal.map({ status.word.matches($0.bytes.span) }) ?? false {
            (user.lastRefusal, user.refusalReasonText, user.refusalTime) = (status, last.reason, last.refusalTime)
        }
    }
}

extension MPinClient {
    /// Chooses the server without a request. A login may find the settings in the cache of an earlier login.
    package mutating func selectBackend(_ address: ByteText) throws(MPinError) {
        guard let backend = Backend(address) else { throw MPinClient.badAddress }
        provenKey = []
        transport = try transport(to: backend)
        self.backend = backend
        server = nil
        rpsPrefix = MPinClient.standardPrefix
    }

    /// Chooses the server without a request. A login may find the settings in the cache of an earlier login.
    package mutating func selectBackend(_ address: String) throws(MPinError) { try selectBackend(ByteText(address)) }

    /// Makes a connection. The server's own key may have signed its certificate, if a registration at this address
    /// belongs to the key, or if the server has proven it.
    ///
    ///
    /// - Parameter options: nil for those of this client.
    func transport(
        to backend: Backend, _ options: TransportOptions? = nil
    ) throws(MPinError) -> HTTPTransport {
        var keys = provenKey
        for user in allUsers where user.record.backend == backend.address {
            if let device = user.device { keys += device.serverKey.bytes }
        }
        return try HTTPTransport(backend: backend, options: options ?? self.options, serverKeys: keys)
    }

    static var noServer: MPinError { MPinError(.flowError, "No server has been chosen: set the backend first.") }

    static var standardPrefix: ByteText { "rps" }

    static var badAddress: MPinError {
        MPinError(.flowError, "A server's address must be https://HOST or unix:/PATH.")
    }
}

/// Changes that other processes have made to an account's registrations since they were read.
extension MPinClient {
    /// Reads the store again. Users whose registration another process has deleted are removed from the list and become
    /// INVALID.
    ///
    /// - Returns: the stored users.
    @discardableResult @inline(never) mutating func reread() throws(MPinError) -> [User] {
        let stored: [User]
        let setAside: Int
        do throws(StoreError) { (stored, setAside) = try RecordFile.load(store) } catch .notEnrolled {
            (stored, setAside) = ([], 0)
        } catch { throw MPinError(error, in: store) }
        known.forgetDeleted(stored, setAside)
        return stored
    }

    /// Updates a user from the store.
    ///
    /// - Returns: whether it is still the registration that this client knew.
    /// - Throws: FLOW_ERROR if it is no longer stored.
    @inline(never)
    mutating func reconcile(_ user: User) throws(MPinError) -> Bool {
        for stored in try reread() where stored.isRegistration(like: user) { return update(user, from: stored) }
        #if !hasFeature(Embedded)
        if store.area == .staging, let inUse = registrationInUse(like: user), inUse.record.mpinID == user.record.mpinID
        {
            throw MPinError(.flowError, "This recovery is already complete: sign in with the registration in use.")
        }
        #endif
        throw MPinError(.flowError, "Another process has deleted this registration: register again.")
    }

    /// Updates a user from its stored registration.
    ///
    /// - Returns: whether it is still the registration that this client knew.
    func update(_ user: User, from stored: User) -> Bool {
        let former = user.state
        let isSame = user.take(stored)
        if !isSame || user.state != former { readLastContact(of: user) }
        return isSame
    }

    /// Refuses to continue with a registration that another process has changed; the user then shows what is stored
    /// now.
    @inline(never)
    mutating func requireUnchanged(_ user: User) throws(MPinError) {
        guard try reconcile(user) else {
            throw MPinError(.flowError, "Another process has changed this registration: continue from its new state.")
        }
    }

    /// Changes the store while other processes cannot.
    ///
    /// The lock is never held during a request, so the wait for it is short.
    @inline(never)
    mutating func withStoreLock(_ change: (inout MPinClient) throws(MPinError) -> Void) throws(MPinError) {
        let lock = try lockStore()
        try withExtendedLifetime(lock) { () throws(MPinError) in try change(&self) }
    }

    /// Works under the store's lock without changing anything in this client.
    @inline(never)
    func lockedStore(_ change: (AccountStore) throws(StoreError) -> Void) throws(MPinError) {
        let lock = try lockStore()
        try withExtendedLifetime(lock) { () throws(MPinError) in try stored(change) }
    }

    @inline(never)
    private func lockStore() throws(MPinError) -> StoreLock {
        let deadline = deadline(milliseconds: 1000)
        do { return try store.lock(until: deadline, create: true) } catch {
            let error = MPinError(error, in: store)
            throw deadline.isStopped ? error.canceled : error
        }
    }

    /// Checks whether the records could be changed now.
    package func requireLock() throws(MPinError) { try lockedStore { _ in } }

    /// Refuses deleted users, and users of other clients and of servers other than the one in use.
    @inline(never)
    func requireHere(_ user: User) throws(MPinError) {
        guard isListed(user) else {
            throw user.state == .invalid
                ? user.wrongState
                : MPinError(.flowError, "This user object belongs to another client. Use one of 'users'.")
        }
        guard let backend else { throw MPinClient.noServer }
        guard user.record.backend == backend.address else {
            throw MPinError(.flowError, "This user is registered at another server: set that backend first.")
        }
    }
}

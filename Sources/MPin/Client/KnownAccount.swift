// SPDX-License-Identifier: Apache-2.0

/// What a client knows of an account's part of the store.
struct KnownAccount {
    /// The identities that calls accept.
    var users: [User]
    var recordsSetAside: Int
    var isNew: Bool
    let isPutAside: Bool
    let replacesAnother: Bool

    #if hasFeature(Embedded)
    private var unreadable: Int { recordsSetAside }
    #else
    /// How many records could not be read when the client was opened.
    private let unreadable: Int

    /// Whether questions read the store again. The programs of this package open a client for one action.
    var followsStore = false
    #endif

    /// Reads the store. Without a file the account is not enrolled; that is not an error here.
    @inline(__always) init(_ store: AccountStore) throws(StoreError) {
        do throws(StoreError) {
            (users, recordsSetAside) = try RecordFile.load(store)
            (isNew, isPutAside, replacesAnother) = (false, false, false)
        } catch .notEnrolled {
            // The account was enrolled, and its file could not be read: it is treated as damaged until an administrator
            // acts.
            isPutAside = try store.hasRecordsAside()
            (users, recordsSetAside, isNew) = ([], isPutAside ? 1 : 0, !isPutAside)
            replacesAnother = RecordFile.hasForeign(store)
        }
        #if !hasFeature(Embedded)
        unreadable = recordsSetAside
        #endif
    }

    /// Forgets the users that are not stored. A record that has become unreadable was not deleted.
    @inline(never) mutating func forgetDeleted(_ stored: [User], _ setAside: Int) {
        guard setAside <= unreadable else { return }
        var kept: [User] = []
        for user in users {
            if stored.contains(where: { $0.isRegistration(like: user) }) { kept.append(user) } else { user.forget() }
        }
        users = kept
    }
}

#if !hasFeature(Embedded)
/// What a client knows, as a reference: a question about the account may read the store again.
final class AccountReference {
    var account: KnownAccount

    init(_ account: KnownAccount) { self.account = account }
}
#endif

extension MPinClient {
    /// All identities of the account, at any server.
    ///
    /// Each question about users reads the store, which other processes may have changed. A user that one of them has
    /// registered is listed, a deleted one is INVALID and no longer listed, and the others show what is stored now. If
    /// the store cannot be read, the answer is what this client knew before.
    ///
    /// Milagro: `ListAllUsers`
    public var allUsers: [User] {
        followStore()
        return known.users
    }

    /// How many records of the account cannot be read. They are kept unchanged. The number is at least 1 if the
    /// account's only file could not be read and was set aside.
    ///
    /// Milagro: none
    public var recordsSetAside: Int {
        followStore()
        return known.recordsSetAside
    }

    /// Whether it is proven that the account is not enrolled: it has no file with registrations, and none that was set
    /// aside because it could not be read.
    ///
    /// Milagro: none
    public var isNewAccount: Bool {
        followStore()
        return known.isNew
    }

    /// Whether the account has nothing but a file that was set aside.
    package var isPutAside: Bool { known.isPutAside }

    /// Whether the account is new, but one with the same name and another user ID was enrolled.
    package var replacesAnother: Bool { known.replacesAnother }

    /// Reads the store again, if this client follows it.
    package func followStore() {
        #if !hasFeature(Embedded)
        guard known.followsStore else { return }
        let stored: KnownAccount
        do throws(StoreError) { stored = try KnownAccount(store) } catch {
            known.isNew = false
            return
        }
        known.forgetDeleted(stored.users, stored.recordsSetAside)
        for found in stored.users {
            if let user = known.users.first(where: { found.isRegistration(like: $0) }) {
                _ = update(user, from: found)
            } else {
                readLastContact(of: found)
                known.users.append(found)
            }
        }
        (known.recordsSetAside, known.isNew) = (stored.recordsSetAside, stored.isNew)
        #endif
    }
}

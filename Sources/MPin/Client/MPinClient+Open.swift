// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinClient {
    /// Opens an account's identities, for programs of this package.
    package init(opening store: FileStore, options: TransportOptions) throws(StoreError) {
        try self.init(in: store.ofAccount, options: options)
    }
}

#if !hasFeature(Embedded)
extension MPinClient {
    /// Opens an account's identities in a directory.
    ///
    /// - Parameters:
    ///   - store: the account's part of the directory. Without a file there is no registration; that is not an
    ///     error here.
    ///   - options: how to reach servers.
    /// - Throws: STORAGE_ERROR if the account's file cannot be read. A single unreadable record is not an error: see
    ///   ``recordsSetAside``. FLOW_ERROR for a time limit that is not positive.
    ///
    /// Milagro: `Init`
    public init(store: FileStore, options: TransportOptions = TransportOptions()) throws(MPinError) {
        try options.requireUsable()
        do throws(StoreError) { try self.init(in: store.ofAccount, options: options) } catch {
            throw MPinError(error, in: store.ofAccount)
        }
        known.followsStore = true
    }

    /// Opens an account's identities in a store of the application's own.
    ///
    /// - Parameters:
    ///   - store: the account's records.
    ///   - area: the records that logins use, or the staging area for a new registration.
    ///   - options: how to reach servers.
    /// - Throws: what the store throws, and STORAGE_ERROR for a record that is not one. A single unreadable registration
    ///   is not an error: see ``recordsSetAside``. FLOW_ERROR for a time limit that is not positive.
    ///
    /// Milagro: `Init`
    public init(
        store: any RegistrationStore, area: FileStore.Area = .users, options: TransportOptions = TransportOptions()
    ) throws(MPinError) {
        try options.requireUsable()
        do throws(StoreError) { try self.init(in: .own(OwnStore(store, area)), options: options) } catch {
            throw MPinError(error)
        }
        known.followsStore = true
    }
}

extension TransportOptions {
    fileprivate func requireUsable() throws(MPinError) {
        guard timeoutMilliseconds > 0 else {
            throw MPinError(.flowError, "The time limit of a call must be at least one millisecond.")
        }
    }
}
#endif

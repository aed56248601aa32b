// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The file with an account's registrations.
///
/// A change reads the file again and replaces one record, so that changes by other processes to the other records are
/// kept. Unreadable records stay where they are.
enum RecordFile {
    /// The bytes of a token and of a share: a point of G1.
    static let pointSize = 65

    /// - Returns: the registrations, and the number of records that cannot be read.
    /// - Throws: ``StoreError/notEnrolled`` when there is no file, or none but records of another user ID.
    static func load(_ store: AccountStore) throws(StoreError) -> (users: [User], setAside: Int) {
        try store.withRecords { file throws(StoreError) in
            var users: [User] = []
            var setAside = 0
            var hasOthers = false
            for record in try records(in: file) {
                guard let user = try user(in: file, at: record) else {
                    setAside += 1
                    continue
                }
                if isForeign(user, in: store) { hasOthers = true } else { users.append(user) }
            }
            if hasOthers, users.isEmpty, setAside == 0 { throw .notEnrolled }
            return (users, setAside)
        }
    }

    /// Whether the account's file has a record of another user ID: an account with the same name was deleted.
    static func hasForeign(_ store: AccountStore) -> Bool {
        let found = try? store.withRecords { file throws(StoreError) in
            for record in try records(in: file) {
                if let user = try user(in: file, at: record), isForeign(user, in: store) { return true }
            }
            return false
        }
        return found ?? false
    }

    private static func isForeign(_ user: User, in store: AccountStore) -> Bool {
        guard let owner = store.owner else { return false }
        return user.record.owner != Int(owner)
    }

    /// The stored registration of a user's identity at the user's server, in any area of the store.
    static func registration(like user: User, in store: AccountStore) throws(StoreError) -> User? {
        do throws(StoreError) {
            return try load(store).users.first { $0.isRegistration(like: user) }
        } catch .notEnrolled {
            return nil
        }
    }

    /// Replaces the registration of the same identity and server, or appends a new one.
    static func write(_ user: User, to store: AccountStore) throws(StoreError) {
        try change(store, removing: { $0?.isRegistration(like: user) ?? false }, adding: [user])
    }

    /// Replaces the registration of the same identity at the same address, even if it belongs to another key.
    static func replace(_ user: User, in store: AccountStore) throws(StoreError) {
        try change(
            store,
            removing: { stored in
                guard let stored else { return false }
                return stored.isRegistration(like: user)
                    || stored.isRegistration(of: user.record.identity, at: user.record.backend)
            }, adding: [user])
    }

    /// Replaces registrations whose server's key or address has changed, each by its M-Pin ID, in one write.
    static func rewrite(_ users: [User], in store: AccountStore) throws(StoreError) {
        try change(
            store,
            removing: { stored in
                stored.map { stored in users.contains { $0.record.mpinID == stored.record.mpinID } } ?? false
            }, adding: users)
    }

    /// Removes a registration, and with the last one the file.
    static func remove(_ user: User, from store: AccountStore) throws(StoreError) {
        try change(store, removing: { $0?.isRegistration(like: user) ?? false }, adding: [])
    }

    /// Removes the records that cannot be read.
    static func removeUnreadable(from store: AccountStore) throws(StoreError) {
        try change(store, removing: { $0 == nil }, adding: [])
    }

    /// Writes the file again, without the records of another user ID.
    ///
    /// - Parameter isRemoved: whether to remove a registration; it is called with `nil` for an unreadable one.
    private static func change(
        _ store: AccountStore, removing isRemoved: (User?) -> Bool, adding new: [User]
    ) throws(StoreError) {
        var content = try buffer()
        var count = 0
        let length: Int?
        if let owner = store.owner { for user in new { user.record.owner = Int(owner) } }
        do throws(StoreError) {
            let oldFile = try store.readRecords()
            length = try oldFile.withBytes { file throws(StoreError) in
                let present = try records(in: file)
                var kept: [JSONValue] = []
                for record in present {
                    let user = try user(in: file, at: record)
                    let isOthers = user.map { isForeign($0, in: store) } ?? false
                    if !isOthers, !isRemoved(user) { kept.append(record) }
                }
                return content.withMutableBytes(count: content.capacity) { target in
                    var position = StoredFile.begin(.users, version: StoredUser.version, in: &target)
                    for record in kept {
                        if count > 0 { position = StoredFile.separate(in: &target, at: position) }
                        position = StoredFile.keep(file.extracting(record.range), in: &target, at: position)
                        count += 1
                    }
                    return append(new, after: &count, to: &target, at: position)
                }
            }
        } catch .notEnrolled {
            length = content.withMutableBytes(count: content.capacity) { target in
                let start = StoredFile.begin(.users, version: StoredUser.version, in: &target)
                return append(new, after: &count, to: &target, at: start)
            }
        }
        guard let length else { throw .full }
        guard count > 0 else { return try store.removeRecords() }
        content.withMutableBytes(count: length) { _ in }
        // JSON has a limit of members too, and a file that cannot be read again would lock all users out.
        guard content.withBytes({ (try? StoredUser.records(in: $0))?.count }) == count else { throw .full }
        try store.writeRecords(content)
    }

    private static func append(
        _ users: [User], after count: inout Int, to target: inout MutableSpan<UInt8>, at position: Int?
    ) -> Int? {
        var position = position
        for user in users {
            if count > 0 { position = StoredFile.separate(in: &target, at: position) }
            position = encode(user, to: &target, at: position)
            count += 1
        }
        return StoredFile.end(in: &target, at: position)
    }

    private static func encode(_ user: User, to target: inout MutableSpan<UInt8>, at position: Int?) -> Int? {
        let record = user.record
        record.state = user.state.word.text
        record.pinScheme = user.token == nil ? nil : ByteText(user.pinScheme.name)
        if user.token == nil { record.pinLength = nil }
        record.device = user.device.map {
            StoredDevice(key: $0.key.publicKey, tpmKey: $0.key.tpmBlob, serverKey: $0.serverKey, source: $0.source)
        }
        guard let device = user.device else { return encode(user, deviceSecret: nil, to: &target, at: position) }
        return device.key.withPrivateHalf { secret in encode(user, deviceSecret: secret, to: &target, at: position) }
    }

    private static func encode(
        _ user: User, deviceSecret: Span<UInt8>?, to target: inout MutableSpan<UInt8>, at position: Int?
    ) -> Int? {
        let record = user.record
        let withToken = user.withToken { token in
            token.withBytes { bytes in
                record.encode(token: bytes, deviceSecret: deviceSecret, to: &target, at: position)
            }
        }
        return withToken ?? record.encode(token: nil, deviceSecret: deviceSecret, to: &target, at: position)
    }

    private static func records(in file: Span<UInt8>) throws(StoreError) -> [JSONValue] {
        do throws(WireError) { return try StoredUser.records(in: file) } catch .invalid(.version) {
            throw .otherVersion
        } catch { throw .damaged("a file is damaged") }
    }

    /// Reads a registration; `nil` if its record cannot be read or contradicts itself.
    private static func user(in file: Span<UInt8>, at record: JSONValue) throws(StoreError) -> User? {
        var token = try buffer(pointSize)
        var deviceSecret = try buffer(DeviceKey.byteCount, beside: token)
        let decoded = token.withMutableBytes(count: pointSize) { token in
            deviceSecret.withMutableBytes(count: DeviceKey.byteCount) { secret in
                try? StoredUser.decode(file, at: record, token: &token, deviceSecret: &secret)
            }
        }
        guard let stored = decoded, let state = UserState(name: stored.state), state != .invalid,
            let scheme = PINScheme(stored: stored.pinScheme)
        else { return nil }
        let mustHaveToken = state == .registered || state == .blocked
        guard stored.hasToken == mustHaveToken, (stored.regOTT == nil) == mustHaveToken else { return nil }
        let user = User(stored, state: state)
        user.pinScheme = scheme
        if stored.hasToken { user.token = consume token }
        user.registration = .milagro
        if let device = stored.device {
            let key =
                if let blob = device.tpmKey {
                    RegistrationKey(device.key, tpm: TPMKey(blob: blob.bytes))
                } else { RegistrationKey(device.key, secret: consume deviceSecret) }
            guard let key else { return nil }
            user.registration = .device(DeviceRegistration(key, serverKey: device.serverKey, device.source))
        }
        return user
    }

    private static func buffer(_ capacity: Int = FileStore.fileLimit) throws(StoreError) -> SecretBytes {
        do { return try SecretBytes(capacity: capacity) } catch { throw .noMemory }
    }

    private static func buffer(_ capacity: Int, beside other: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
        do { return try SecretBytes(capacity: capacity, beside: other) } catch { throw .noMemory }
    }
}

extension PINScheme {
    /// The scheme with that name. Records without a PIN have none; it does not matter then which one is used.
    fileprivate init?(stored name: ByteText?) {
        guard let name else {
            self = .decimal
            return
        }
        self.init(name: name.bytes)
    }
}

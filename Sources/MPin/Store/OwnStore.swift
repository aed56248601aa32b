// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
internal import MPinCrypto

/// An application's own store, as the client uses it.
final class OwnStore {
    let place: any RegistrationStore
    let area: FileStore.Area

    init(_ place: any RegistrationStore, _ area: FileStore.Area) { (self.place, self.area) = (place, area) }

    /// The record with the registrations of the area.
    var record: StoredRecord {
        switch area {
        case .users: .registrations
        case .staging: .staged
        }
    }

    /// - Throws: ``StoreError/notEnrolled`` if there is no such record.
    func read(_ record: StoredRecord) throws(StoreError) -> SecretBytes {
        var content = try OwnStore.buffer(FileStore.fileLimit)
        var isThere = false
        var fits = true
        do throws(MPinError) {
            try place.read(record) { bytes in
                isThere = true
                fits = bytes.count <= FileStore.fileLimit
                if fits { OwnStore.copy(bytes, to: &content) }
            }
        } catch { throw StoreError(ofOwn: error) }
        guard isThere else { throw .notEnrolled }
        guard fits else { throw .damaged("a record is too large") }
        return content
    }

    func write(_ record: StoredRecord, _ content: borrowing SecretBytes) throws(StoreError) {
        do throws(MPinError) {
            try content.withBytes { bytes throws(MPinError) in try place.replace(record, with: bytes) }
        } catch { throw StoreError(ofOwn: error) }
    }

    func remove(_ record: StoredRecord) throws(StoreError) {
        do throws(MPinError) { try place.remove(record) } catch { throw StoreError(ofOwn: error) }
    }

    /// A copy of what an application has lent.
    static func copy(_ bytes: Span<UInt8>) throws(StoreError) -> SecretBytes {
        guard bytes.count <= FileStore.fileLimit else { throw .full }
        var content = try buffer(max(bytes.count, 1))
        copy(bytes, to: &content)
        return content
    }

    private static func copy(_ bytes: Span<UInt8>, to content: inout SecretBytes) {
        content.withMutableBytes(count: bytes.count) { target in
            for index in bytes.indices { target[index] = bytes[index] }
        }
    }

    private static func buffer(_ capacity: Int) throws(StoreError) -> SecretBytes {
        do { return try SecretBytes(capacity: capacity) } catch { throw .noMemory }
    }
}

extension StoreError {
    /// An error of an application's own store. Other codes would claim something about the call or the server.
    fileprivate init(ofOwn error: MPinError) {
        self = .own(error.code == .storageError ? error : MPinError(code: .storageError))
    }
}

/// The lock of an application's own store.
final class OwnLock {
    private let place: any RegistrationStore

    init(_ place: any RegistrationStore) throws(StoreError) {
        do throws(MPinError) { try place.lock() } catch { throw StoreError(ofOwn: error) }
        self.place = place
    }

    deinit { place.unlock() }
}
#endif

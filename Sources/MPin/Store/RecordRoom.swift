#if !hasFeature(Embedded)
internal import MPinCrypto
internal import MPinWire

/// What of the file with an account's registrations is taken, measured by what its readers accept (``JSONLimits``).
///
/// Asked before a server is: a registration that cannot be written down has used up its code.
struct RecordRoom {
    private var bytes = 64
    /// The members of all objects; two stand outside the registrations.
    private var members = 2

    /// The members of a registration that has everything: a key, and what the server has said of it.
    private static let membersOfAll = 16
    /// What a recovery adds at most: what it has replaced, and a key for a registration that had none.
    private static let membersOfRecovery = 10
    /// What a registration takes, and what a recovery adds, beside the identity and the M-Pin ID: addresses, a token, a key.
    private static let bytesBesideNames = 5_120
    /// What an M-Pin ID says beside the identity.
    private static let bytesOfMPinID = 512

    init(_ store: borrowing FileStore) throws(StoreError) {
        do throws(StoreError) {
            let content = try store.readRecords()
            (bytes, members) = content.withBytes { RecordRoom.taken($0) }
        } catch .notEnrolled {}
    }

    /// Whether there is room for one more, and then for the recovery of any.
    ///
    /// - Parameters:
    ///   - identity: the length of the new one's.
    ///   - longest: the digits of the longest M-Pin ID that is there.
    func holdsAnother(identity: Int, longest: Int) -> Bool {
        guard identity <= JSONLimits.size else { return false }
        let mpinID = 2 * (identity + RecordRoom.bytesOfMPinID)
        return isEnough(
            bytes: RecordRoom.bytesBesideNames + identity + mpinID + RecordRoom.growth(max(mpinID, longest)),
            members: RecordRoom.membersOfAll + RecordRoom.membersOfRecovery)
    }

    /// Whether there is room for the recovery of a registration with so many digits of an M-Pin ID.
    func holdsRecovery(mpinID: Int) -> Bool {
        isEnough(bytes: RecordRoom.growth(mpinID), members: RecordRoom.membersOfRecovery)
    }

    private func isEnough(bytes: Int, members: Int) -> Bool {
        self.bytes + bytes <= JSONLimits.size && self.members + members <= JSONLimits.members
    }

    /// The new M-Pin ID may be longer than the old one, which is kept until it is revoked.
    private static func growth(_ mpinID: Int) -> Int { bytesBesideNames + mpinID }

    /// Each registration counts as one that has everything: what the server says later has to be written down as well.
    private static func taken(_ file: Span<UInt8>) -> (bytes: Int, members: Int) {
        // A file that cannot be read is set aside before another is written.
        let records = (try? StoredUser.records(in: file)) ?? []
        var members = 2
        for record in records { members += max(membersOfAll, memberCount(file.extracting(record.range))) }
        return (file.count, members)
    }

    /// The members of all objects in JSON that was read before: each has a colon outside of texts.
    private static func memberCount(_ json: Span<UInt8>) -> Int {
        var count = 0
        var isText = false
        var index = 0
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: ":") where !isText: count += 1
            default: break
            }
            index += 1
        }
        return count
    }
}

extension MPinClient {
    /// Whether the account's file has room for another registration, and then for the recovery of any.
    ///
    /// - Parameter identity: the length of its identity, in bytes.
    package func hasRoom(forIdentityOf identity: Int) throws(MPinError) -> Bool {
        let longest = allUsers.compactMap { $0.record.mpinID?.text.count }.max() ?? 0
        do throws(StoreError) {
            return try RecordRoom(store).holdsAnother(identity: identity, longest: longest)
        } catch { throw MPinError(error) }
    }

    /// Whether the account's file has room for the recovery of a registration in it.
    package func hasRoom(toRecover user: User) throws(MPinError) -> Bool {
        do throws(StoreError) {
            return try RecordRoom(store).holdsRecovery(mpinID: user.record.mpinID?.text.count ?? 0)
        } catch { throw MPinError(error) }
    }
}
#endif

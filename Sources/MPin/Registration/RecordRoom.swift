// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// How full the file with an account's registrations is, measured by the limits of its readers (``JSONLimits``).
///
/// It is checked before a server is asked: a registration that cannot be stored would use up its code.
struct RecordRoom {
    private var bytes = 64
    /// The members of all objects; two are outside the registrations.
    private var members = 2

    /// The members of a registration with all optional parts: a key, and data from the server.
    private static let membersOfAll = 18
    /// The most members that a recovery adds: the replaced registration, and a key for a registration that had none.
    private static let membersOfRecovery = 10
    /// The bytes of a registration, or added by a recovery, without identity and M-Pin ID: addresses, a token, a key.
    private static let bytesBesideNames = 5_120
    /// The bytes of an M-Pin ID without the identity.
    private static let bytesOfMPinID = 512

    init(_ store: borrowing FileStore) throws(StoreError) {
        do throws(StoreError) {
            let content = try store.readRecords()
            (bytes, members) = content.withBytes { RecordRoom.taken($0) }
        } catch .notEnrolled {}
    }

    /// Whether there is room for another registration, and then for the recovery of any.
    ///
    /// - Parameters:
    ///   - identity: the length of the new identity, in bytes.
    ///   - longest: the number of digits of the longest existing M-Pin ID.
    func holdsAnother(identity: Int, longest: Int) -> Bool {
        guard identity <= JSONLimits.size else { return false }
        let mpinID = 2 * (identity + RecordRoom.bytesOfMPinID)
        return isEnough(
            bytes: RecordRoom.bytesBesideNames + identity + mpinID + RecordRoom.growth(max(mpinID, longest)),
            members: RecordRoom.membersOfAll + RecordRoom.membersOfRecovery)
    }

    /// Whether there is room for the recovery of a registration whose M-Pin ID has this many digits.
    func holdsRecovery(mpinID: Int) -> Bool {
        isEnough(bytes: RecordRoom.growth(mpinID), members: RecordRoom.membersOfRecovery)
    }

    private func isEnough(bytes: Int, members: Int) -> Bool {
        self.bytes + bytes <= JSONLimits.size && self.members + members <= JSONLimits.members
    }

    /// The new M-Pin ID may be longer than the old one, which is kept until it is revoked.
    private static func growth(_ mpinID: Int) -> Int { bytesBesideNames + mpinID }

    /// Each registration counts with all optional parts, because the server's later answers have to be stored too.
    private static func taken(_ file: Span<UInt8>) -> (bytes: Int, members: Int) {
        // A file that cannot be read is set aside before another one is written.
        let records = (try? StoredUser.records(in: file)) ?? []
        var members = 2
        for record in records { members += max(membersOfAll, memberCount(file.extracting(record.range))) }
        return (file.count, members)
    }

    /// Counts the members of all objects in valid JSON: each has a colon outside of texts.
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
        do throws(StoreError) { return try RecordRoom(store).holdsAnother(identity: identity, longest: longest) } catch
        { throw MPinError(error) }
    }

    /// Whether the account's file has room for the recovery of a registration in it.
    package func hasRoom(toRecover user: User) throws(MPinError) -> Bool {
        do throws(StoreError) {
            return try RecordRoom(store).holdsRecovery(mpinID: user.record.mpinID?.text.count ?? 0)
        } catch { throw MPinError(error) }
    }
}

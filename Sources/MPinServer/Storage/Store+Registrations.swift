internal import Foundation
internal import GRDB

/// A registration that is about to be made.
struct NewRegistration: Sendable {
    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let user: String
    let device: String
    let mobile: Int
    let state: RegistrationRecord.State
    /// SHA-256 of the one-time token.
    let ott: [UInt8]
    let created: Int64
    let expires: Int64
    /// JSON.
    let userData: String?
}

extension Store {
    /// The registration of an M-Pin ID, by the ID's SHA-256.
    func registration(_ hash: [UInt8]) throws(ServerFault) -> RegistrationRecord? {
        try readOnce { try Self.registration(hash, in: $0) }
    }

    static func registration(_ hash: [UInt8], in database: Database) throws -> RegistrationRecord? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(RegistrationRecord.columns) FROM registration WHERE hash = ?")
        return try Row.fetchOne(statement, arguments: [Data(hash)]).map { try RegistrationRecord($0) }
    }

    /// Makes a registration and, in the same transaction, uses up the code that came with it. Of a suspended user nothing
    /// is activated but by a code.
    ///
    /// - Parameter code: the keyed hash of the code; nil where none is needed.
    /// - Returns: the state it has now; nil, and nothing changed, when the code is not good for this user now.
    func add(
        _ new: NewRegistration, code: [UInt8]?, event: AuditEvent
    ) throws(ServerFault) -> RegistrationRecord.State? {
        try write { database -> RegistrationRecord.State? in
            if let code {
                let isGood = try Self.use(
                    code, user: new.user, for: new.hash, at: event.time, source: event.source, in: database)
                guard isGood else { return nil }
            }
            // Expired registrations make room.
            try Self.purgeRegistrations(now: new.created, in: database)
            let isBarred = try code == nil && Self.barrier(for: new.user, in: database) != nil
            let state = isBarred ? .held : new.state
            try database.execute(
                sql: """
                    INSERT INTO registration (
                        hash, number, user, device, mobile, state, ott, created, expires, userData, invited
                    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(new.hash), try Self.nextNumber(of: new.user, in: database), new.user, new.device, new.mobile,
                    state.rawValue, Data(new.ott), new.created, new.expires, new.userData, code != nil,
                ])
            try Self.record([event], in: database)
            return state
        }
    }

    private static func nextNumber(of user: String, in database: Database) throws -> Int? {
        try Int.fetchOne(
            database,
            sql: """
                INSERT INTO numbering (user, last) VALUES (?, 1)
                ON CONFLICT (user) DO UPDATE SET last = last + 1 RETURNING last
                """, arguments: [user])
    }

    /// Begins a registration again under the M-Pin ID and one-time token it had.
    ///
    /// - Parameters:
    ///   - code: the keyed hash of a code that activates it; nil leaves its state as it is.
    ///   - activates: whether it becomes active without a code.
    ///   - userData: JSON in place of what came before; nil leaves it.
    /// - Returns: whether it is active now; nil, and nothing changed, when the code is not good for this user.
    func restart(
        _ hash: [UInt8], code: [UInt8]?, activates: Bool, device: String, userData: String?, now: Int64, expires: Int64,
        event: AuditEvent
    ) throws(ServerFault) -> Bool? {
        try write { database -> Bool? in
            guard let registration = try Self.registration(hash, in: database), registration.state != .registered,
                registration.revoked == nil
            else { return nil }
            var state = registration.state
            var isInvited = registration.isInvited
            if activates, try Self.barrier(for: registration.user, in: database) == nil { state = .activated }
            if state == .held, let code {
                let isGood = try Self.use(
                    code, user: registration.user, for: hash, at: event.time, source: event.source, in: database)
                guard isGood else { return nil }
                state = .activated
                isInvited = true
            }
            try database.execute(
                sql: """
                    UPDATE registration
                    SET state = ?, device = ?, expires = ?, userData = coalesce(?, userData), invited = ?
                    WHERE id = ?
                    """,
                arguments: [state.rawValue, device, expires, userData, isInvited, registration.id])
            try Self.record([event], in: database)
            return state == .activated
        }
    }

    /// Notes that the first share is about to be delivered: the registration can log in from now on.
    ///
    /// - Returns: false, and nothing changed, when it or its user was revoked meanwhile.
    func deliver(_ hash: [UInt8], now: Int64, event: AuditEvent) throws(ServerFault) -> Bool {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE registration SET state = ?, delivered = ?
                    WHERE hash = ? AND state = ? AND revoked IS NULL AND \(Self.isAdmitted)
                    """,
                arguments: [
                    RegistrationRecord.State.registered.rawValue, now, Data(hash),
                    RegistrationRecord.State.activated.rawValue,
                ])
            let changed = database.changesCount == 1
            if changed { try Self.record([event], in: database) }
            return changed
        }
    }

    /// Revokes one registration of a user. Nil when there is none of that hash and user; false when it was revoked.
    ///
    /// - Parameter event: what the audit log is told, by the number of the registration.
    func revoke(
        _ hash: [UInt8], user: String, now: Int64, event: @Sendable (Int) -> AuditEvent
    ) throws(ServerFault) -> Bool? {
        try write { database -> Bool? in
            guard let registration = try Self.registration(hash, in: database),
                registration.user.utf8.elementsEqual(user.utf8)
            else { return nil }
            guard registration.revoked == nil else { return false }
            try database.execute(
                sql: "UPDATE registration SET revoked = ?, revoker = 'user', reason = NULL WHERE id = ?",
                arguments: [now, registration.id])
            try Self.record([event(registration.number)], in: database)
            return true
        }
    }
}

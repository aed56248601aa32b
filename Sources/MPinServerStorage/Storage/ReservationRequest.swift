// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    /// Reserves an attempt, durably, if the limits leave room for one. Its result may be reported only after it is settled.
    ///
    /// A direct login's commitment is used up by its reservation, or by ``voidCommitment(_:of:now:)``.
    ///
    /// - Parameters:
    ///   - lease: a random number of this attempt alone. A repeated reservation with the same number changes nothing.
    ///   - origin: a registration that does not accept this origin is treated as one that does not exist.
    ///   - isHasty: whether to return `full` without looking for the reason, if a single statement does not reserve it.
    package func reserveAttempt(
        _ lease: Int64, _ hash: [UInt8], origin: AttemptOrigin, limits: AttemptLimits, now: Timestamp,
        isHasty: Bool = false
    ) throws(ServerError) -> ReservationResult {
        let once = try writeLoginOnce { connection in
            try ReservationRequest(
                lease: lease, hash: hash, origin: origin, limits: limits, now: now, connection: connection
            ).takeAtOnce()
        }
        switch once {
        case .reserved(let reservation): return .reserved(reservation)
        case .refused where isHasty: return .full
        case .refused, .undecided, nil: break
        }
        return try writeLogin(.disk) { connection in
            try Self.reserve(lease, hash, origin: origin, limits: limits, now: now, in: connection)
        }
    }

    /// Reserves an attempt inside a transaction.
    package static func reserve(
        _ lease: Int64, _ hash: [UInt8], origin: AttemptOrigin, limits: AttemptLimits, now: Timestamp,
        in connection: any Connection
    ) throws -> ReservationResult {
        let request = ReservationRequest(
            lease: lease, hash: hash, origin: origin, limits: limits, now: now, connection: connection)
        if let reservation = try request.take() { return .reserved(reservation) }
        let refusal = try request.refusal()
        guard case .full = refusal else { return refusal }
        try recount(hash, limits: limits, now: now, in: connection)
        if let reservation = try request.take() { return .reserved(reservation) }
        let user: String? = try connection.value(LoginStatements.block, request.arguments)
        return user.map { .blocked(user: $0) } ?? .full
    }
}

/// The result of a reservation by a single statement.
private enum TakenAtOnce {
    case reserved(Reservation)
    /// The registration or its columns refuse it.
    case refused
    /// It is reserved, but the wrong PINs of the last days must be counted again before they are reported.
    case undecided
}

/// An attempt that asks for a reservation, inside a transaction.
private struct ReservationRequest {
    let lease: Int64
    let hash: [UInt8]
    let origin: AttemptOrigin
    let limits: AttemptLimits
    let now: Timestamp
    let connection: any Connection

    var arguments: Parameters {
        [
            "lease": lease, "hash": hash, "key": origin.key, "isTaken": origin.isTaken,
            "registered": RegistrationEntry.State.registered.rawValue, "inARow": limits.inARow,
            "recent": limits.recent, "now": now.seconds, "time": origin.commitment?.time,
            "commitment": origin.commitment.map { $0.hash },
            "floor": origin.commitment.map { _ in SignatureWindow.floor(now.milliseconds) },
        ]
    }

    /// - Returns: nil, and nothing changed, if the registration or its columns refuse the attempt, or if its commitment
    ///   or number was used before.
    func take() throws -> Reservation? {
        try connection.undoingNil {
            guard let row = try connection.row(LoginStatements.take, arguments) else { return nil }
            let arguments = try arguments + ["registration": row["id"] as Int64, "moved": row["floor"] as Int64]
            func changes(_ statement: String) throws -> Bool {
                try ServerStorage.changes(statement, arguments, in: connection)
            }
            guard try changes(LoginStatements.lease) else { return nil }
            if origin.commitment != nil {
                guard try changes(LoginStatements.use) else { return nil }
                _ = try changes(LoginStatements.forget)
            }
            return try reservation(row)
        }
    }

    func takeAtOnce() throws -> TakenAtOnce {
        guard let row = try connection.row(LoginStatements.takeAtOnce, arguments) else { return .refused }
        return try reportsRecent(row["recent"]) ? .undecided : .reserved(reservation(row))
    }

    private func reportsRecent(_ recent: Int) -> Bool { limits.left(inARow: 0, recent: recent) < limits.inARow }

    private func reservation(_ row: Row) throws -> Reservation {
        let (failures, wrong, seen): (Int, Int, Int) = try (row["failures"], row["wrong"], row["seen"])
        var recent: Int = try row["recent"]
        // Only then it is reported, so it must not be too high.
        if reportsRecent(recent) {
            recent = try ServerStorage.recount(hash, limits: limits, now: now, in: connection)
        }
        let left = limits.left(inARow: 0, recent: recent)
        return try Reservation(
            lease: lease, registration: row["id"], hash: hash, user: row["user_id"], wrong: wrong,
            history: AttemptHistory(
                wrongBefore: max(0, wrong &- seen), left: left < limits.inARow || left == 1 ? left : nil),
            isClean: failures == 0 && wrong == seen && row["confirmed"] as Int64? != nil)
    }

    /// Why it got no reservation, in the order of docs/device-login.md, or the reservation that it got before. `full` if
    /// the columns refuse it.
    func refusal() throws -> ReservationResult {
        let row = try connection.row(LoginStatements.state, arguments)
        guard let row else { throw ServerError.damaged("no horizon") }
        if try row["is_reserved"] {
            _ = try ServerStorage.changes(
                LoginStatements.rewrite, arguments + ["registration": row["id"] as Int64], in: connection)
            return .reserved(try reservation(row))
        }
        // First, because a client sends its PIN again after the next answer.
        if try row["is_used"] { return .replayed }
        let latest = try max(row["horizon"], row["floor"] as Int64? ?? 0)
        guard origin.commitment?.time ?? .max > latest else { return .stale(latest: latest) }
        guard try row["state"] as Int? == RegistrationEntry.State.registered.rawValue,
            try row["device_key"] as [UInt8]? == origin.key
        else { return .unregistered }
        guard origin.isTaken else { return try .withoutKey(device: row["number"], user: row["user_id"]) }
        guard try row["revoked"] as Int64? == nil else { return try .revoked(user: row["user_id"]) }
        return try row["failures"] < limits.inARow ? .full : .blocked(user: row["user_id"])
    }
}

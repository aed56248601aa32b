// SPDX-License-Identifier: Apache-2.0

/// The keys with which devices sign direct logins, and the commitments of these logins, each valid once.
///
/// A commitment is kept for as long as ``SignatureWindow/memory`` says. Before its row is deleted, the floor of its
/// registration moves at least to its time: no time up to the floor is ever accepted again, regardless of the clock.
extension ServerStorage {
    /// How far ahead the time of a stored commitment may be, in milliseconds: a day.
    private static let furthest: Int64 = 86_400_000
    /// How many commitments ahead of the window a device may have.
    private static let largestAhead = 64

    /// Uses up the commitment of a direct login whose time was refused, so that no copy of it that is on its way gets a
    /// reservation any more. It moves neither floor nor horizon.
    ///
    /// - Parameter now: the server's time for this check, in milliseconds.
    /// - Returns: false if it was used up before.
    package func voidCommitment(
        _ commitment: SignedCommitment, of signer: Signer, now: Int64
    ) throws(ServerError) -> Bool {
        guard let registration = signer.registration?.id else { return true }
        return try writeLogin(.process) { connection in
            let arguments: Parameters = [
                "registration": registration, "commitment": commitment.hash, "time": commitment.time,
                "latest": now &+ SignatureWindow.tolerance,
            ]
            let row = try connection.row(LoginStatements.commitments, arguments)
            guard let row else { return true }
            guard try row["is_used"] == false else { return false }
            // No copy of an older one can be accepted.
            guard try commitment.time > row["floor"],
                -SignatureWindow.memory...Self.furthest ~= commitment.time &- now
            else { return true }
            // A time ahead of the window is kept until it is over, so a device may have only a few.
            guard try row["ahead"] < Self.largestAhead else { return false }
            return try Self.changes(LoginStatements.use, arguments, in: connection)
        }
    }

    /// The key of a registration. One read, which takes nearly as long for an unknown registration.
    package func signer(_ hash: [UInt8]) throws(ServerError) -> Signer {
        try readOnce { connection in
            let row = try connection.row(LoginStatements.signer, ["hash": hash])
            guard let row else { throw ServerError.damaged("no horizon") }
            let (key, horizon): ([UInt8]?, Int64) = try (row["device_key"], row["horizon"])
            return try Signer(
                registration: key.map { try (row["id"], $0) }, horizon: horizon,
                floor: max(horizon, row["floor"] ?? 0))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The outcome of a reserved attempt. Writing it need not wait for the disk, because the reservation is on the disk and
/// counts like a wrong PIN.
package struct Settlement: Sendable {
    package enum Kind: Sendable {
        /// It was not verified.
        case withdrawn
        case right(at: Timestamp)
        case wrong(at: Timestamp, source: RequestSource)
    }

    /// SHA-256 of the M-Pin ID.
    package let hash: [UInt8]
    let reservation: Reservation
    let kind: Kind

    package init(hash: [UInt8], reservation: Reservation, kind: Kind) {
        (self.hash, self.reservation, self.kind) = (hash, reservation, kind)
    }
}

/// What a write survives once it has returned.
package enum Durability: Sendable {
    /// A power failure.
    case disk
    /// The end of the process. For writes that only change how an earlier durable write is read.
    case process
}

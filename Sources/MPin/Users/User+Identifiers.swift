// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension User {
    @inline(never)
    func requireMPinID() throws(MPinError) -> HexText {
        guard let mpinID = record.mpinID else {
            throw MPinError(.storageError, "This user's record has no M-Pin ID.")
        }
        return mpinID
    }

    /// The token of an unfinished registration.
    var regOTT: HexText? { record.regOTT.flatMap { HexText(text: $0.bytes.span) } }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension User {
    /// The bytes that identify this registration in the cryptography.
    var mpinIDBytes: [UInt8]? { record.mpinID?.bytes }

    @inline(never)
    func requireMPinID() throws(MPinError) -> HexText {
        guard let mpinID = record.mpinID else {
            throw MPinError(.storageError, "This user's record has no M-Pin ID.")
        }
        return mpinID
    }

    /// The token of an unfinished registration.
    var regOTT: HexText? { record.regOTT.flatMap { HexText(text: $0.bytes.span) } }

    /// The server's permanent name, as it is signed.
    var serverIDBytes: [UInt8]? {
        record.serverID.flatMap { HexText(text: $0.bytes.span) }.map { $0.bytes }
    }

    func requireServerID() throws(MPinError) -> [UInt8] {
        guard let serverID = serverIDBytes else {
            throw MPinError(.storageError, "This user's record has no server name.")
        }
        return serverID
    }

    #if !hasFeature(Embedded)
    /// When the server made the M-Pin ID, as the ID states: `YYYY-MM-DD HH:MM:SS.ffffff`, UTC; `nil` if it does not.
    package var issued: String? {
        guard let bytes = mpinIDBytes, let record = try? MPinIDRecord.decode(bytes.span) else { return nil }
        return record.issued.isEmpty ? nil : VisibleText.sanitized(ByteText(record.issued), limit: 40).string
    }
    #endif
}

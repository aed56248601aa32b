// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension User {
    /// The bytes that identify this registration in the cryptography.
    var mpinIDBytes: [UInt8]? { record.mpinID?.bytes }

    #if !hasFeature(Embedded)
    /// When the server made the M-Pin ID, as the ID states: `YYYY-MM-DD HH:MM:SS.ffffff`, UTC; `nil` if it does not.
    package var issued: String? {
        guard let bytes = mpinIDBytes, let record = try? MPinIDRecord.decode(bytes.span) else { return nil }
        return record.issued.isEmpty ? nil : VisibleText.sanitized(ByteText(record.issued), limit: 40).string
    }
    #endif
}

// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The part of a registration's record for the programs that enroll. A login reads nothing of it and keeps it
/// unchanged.
package struct EnrollmentNotes: Equatable {
    /// The number of the registration among those of its user, if the server has reported it.
    package var device: Int?
    /// The registrations that it has replaced and the server has not revoked yet.
    package var replaced: [Replaced] = []
    /// How many backup codes were valid when the server last reported it.
    package var backupCodes: Int?

    package struct Replaced: Equatable {
        package let mpinID: HexText
        package let device: Int?

        package init(mpinID: HexText, device: Int?) { (self.mpinID, self.device) = (mpinID, device) }
    }

    /// The most replaced registrations that are kept; older ones are left to the administrator.
    static let limit = 16

    package init() {}

    /// Reads the notes; unreadable parts count as missing.
    package init(_ json: [UInt8]?) {
        guard let json else { return }
        let body = json.span
        guard let object = try? JSONObject(body) else { return }
        device = object.displayInteger(.device, in: body)
        backupCodes = object.displayInteger(.backupCodes, in: body)
        for element in (try? object.elements(.replaced, in: body)) ?? [] where element.kind == .object {
            guard let entry = try? JSONObject(body, range: element.range),
                let mpinID = try? entry.hexText(.mpinID, count: 1...MPinIDRecord.longest, in: body)
            else { continue }
            replaced.append(Replaced(mpinID: mpinID, device: entry.displayInteger(.device, in: body)))
        }
    }

    /// The JSON text; nil for none.
    package func encode() -> [UInt8]? {
        guard self != EnrollmentNotes() else { return nil }
        var writer = JSONWriter()
        writer.add(.device, ifPresent: device)
        writer.add(.backupCodes, ifPresent: backupCodes)
        if !replaced.isEmpty {
            let entries = replaced.suffix(EnrollmentNotes.limit).map { entry in
                var object = JSONWriter()
                object.add(.mpinID, entry.mpinID)
                object.add(.device, ifPresent: entry.device)
                return object.finish()
            }
            writer.add(.replaced, array: entries)
        }
        return writer.finish()
    }
}

extension User {
    /// The part of the record for the programs that enroll.
    package internal(set) var notes: EnrollmentNotes {
        get { EnrollmentNotes(record.notes) }
        set { record.notes = newValue.encode() }
    }

    /// When the server made the M-Pin ID, as the ID states: `YYYY-MM-DD HH:MM:SS.ffffff`, UTC; `nil` if it does not.
    package var issued: String? {
        guard let bytes = record.mpinID?.bytes, let record = try? MPinIDRecord.decode(bytes.span) else { return nil }
        return record.issued.isEmpty ? nil : VisibleText.sanitized(ByteText(record.issued), limit: 40).string
    }
}

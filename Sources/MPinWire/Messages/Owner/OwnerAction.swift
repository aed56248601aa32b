// SPDX-License-Identifier: Apache-2.0

/// A request that users make for themselves; an extension.
///
/// Each is authorized by its own login. The proof of the PIN does not depend on the action.
package enum OwnerAction: Sendable, Equatable {
    case devices
    /// Revokes the device with this number among the user's devices.
    case revokeDevice(Int)
    /// Creates a code for another device, valid for this many seconds.
    case invite(seconds: Int?)
    /// Creates this many codes, which are valid once they are confirmed.
    case makeBackupCodes(Int)
    /// Confirms that the codes of the batch with this number are written down. Earlier codes become invalid.
    case confirmBackupCodes(Int)
    /// Ends the browser session that this device last signed in, or all of the user's sessions.
    case signOut(all: Bool)

    private static let words = [
        "devices", "revokeDevice", "invite", "makeBackupCodes", "confirmBackupCodes", "signOut",
    ]

    package var word: ByteText {
        let word =
            switch self {
            case .devices: Self.words[0]
            case .revokeDevice: Self.words[1]
            case .invite: Self.words[2]
            case .makeBackupCodes: Self.words[3]
            case .confirmBackupCodes: Self.words[4]
            case .signOut: Self.words[5]
            }
        return ByteText(word)
    }

    /// The argument of the action as text: a number, `all`, or nothing.
    package var argument: ByteText {
        switch self {
        case .devices: ByteText()
        case .revokeDevice(let number), .makeBackupCodes(let number), .confirmBackupCodes(let number):
            ByteText(String(number))
        case .invite(let seconds): seconds.map { ByteText(String($0)) } ?? ByteText()
        case .signOut(let all): all ? "all" : ByteText()
        }
    }

    package init(word: ByteText, argument: ByteText) throws(WireError) {
        switch Self.words.firstIndex(where: { ByteText($0) == word }) {
        case 0: self = .devices
        case 1: self = .revokeDevice(try Self.number(argument))
        case 2: self = .invite(seconds: argument.isEmpty ? nil : try Self.number(argument))
        case 3: self = .makeBackupCodes(try Self.number(argument))
        case 4: self = .confirmBackupCodes(try Self.number(argument))
        case 5: self = .signOut(all: argument.matches("all"))
        default: throw .invalid(.purpose)
        }
    }

    private static func number(_ argument: ByteText) throws(WireError) -> Int {
        guard let number = Int(argument.string), number > 0 else { throw .invalid(.argument) }
        return number
    }

    /// Adds the action's members to a request.
    func encode(to writer: inout JSONWriter) {
        writer.add(.action, word)
        switch self {
        case .devices: break
        case .revokeDevice(let number): writer.add(.device, number)
        case .invite(let seconds): writer.add(.ttlSeconds, ifPresent: seconds)
        case .makeBackupCodes(let count): writer.add(.count, count)
        case .confirmBackupCodes(let batch): writer.add(.batch, batch)
        case .signOut(let all): writer.add(.all, all)
        }
    }

    /// Reads the action's members.
    init(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) {
        let word: String = try object.text(.action, in: body)
        switch Self.words.firstIndex(where: { $0.utf8.elementsEqual(word.utf8) }) {
        case 0: self = .devices
        case 1: self = .revokeDevice(try Self.number(.device, object, in: body))
        case 2: self = .invite(seconds: try object.optionalInteger(.ttlSeconds, in: body))
        case 3: self = .makeBackupCodes(try Self.number(.count, object, in: body))
        case 4: self = .confirmBackupCodes(try Self.number(.batch, object, in: body))
        case 5: self = .signOut(all: try object.optionalFlag(.all, in: body) ?? false)
        default: throw .invalid(.action)
        }
    }

    private static func number(
        _ field: MemberName, _ object: JSONObject, in body: Span<UInt8>
    ) throws(WireError) -> Int {
        let number = try object.integer(field, in: body)
        guard number > 0 else { throw .invalid(field) }
        return number
    }
}

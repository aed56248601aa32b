/// A registration that was answered about as if there were none, because its device had not signed: told to its administrator
/// and to nobody who asks.
package enum UnsignedRefusal {
    /// It has no key of a device, and the setting `legacy` takes none of those.
    case withoutKey(number: Int)
    /// It has one, and a client with the right PIN brought another: a copy of the token on another machine.
    case keyElsewhere(number: Int)

    private static let start = "device "
    private static let withoutKeyEnd = ": no device key, and legacy = refuse"
    private static let keyElsewhereEnd = ": the right PIN with another device key"

    package init(_ registration: RegistrationRecord) {
        self =
            registration.deviceKey == nil
            ? .withoutKey(number: registration.number) : .keyElsewhere(number: registration.number)
    }

    /// As the audit log has it.
    package var detail: String {
        switch self {
        case .withoutKey(let number): Self.start + String(number) + Self.withoutKeyEnd
        case .keyElsewhere(let number): Self.start + String(number) + Self.keyElsewhereEnd
        }
    }

    /// The device that a detail is about; nil for a detail of another kind of refusal.
    package static func device(of detail: String) -> Int? {
        guard detail.hasPrefix(start), detail.hasSuffix(withoutKeyEnd) || detail.hasSuffix(keyElsewhereEnd) else {
            return nil
        }
        return Int(detail.dropFirst(start.count).prefix { $0 != ":" })
    }
}

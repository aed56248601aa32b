// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

// The names of states and statuses, for applications. The module has no `String`.

extension MPinStatus {
    /// The Milagro name, such as `INCORRECT_PIN`.
    public var name: String { word.description }
}

extension UserState {
    /// The Milagro name, such as `STARTED_REGISTRATION`.
    public var name: String { word.description }
}

#if !hasFeature(Embedded)
extension MPinStatus: RawRepresentable, Codable, CustomStringConvertible {
    /// Finds the status with a Milagro name.
    ///
    /// - Parameter rawValue: a name such as `INCORRECT_PIN`.
    /// - Returns: `nil` for any other text.
    public init?(rawValue: String) {
        guard let status = MPinStatus.allCases.first(where: { $0.name == rawValue }) else { return nil }
        self = status
    }

    /// The ``name``, which is also the status in JSON.
    public var rawValue: String { name }

    /// The ``name``.
    public var description: String { name }
}

extension UserState: RawRepresentable, Codable, CustomStringConvertible {
    /// Finds the state with a Milagro name.
    ///
    /// - Parameter rawValue: a name such as `STARTED_REGISTRATION`.
    /// - Returns: `nil` for any other text.
    public init?(rawValue: String) {
        guard let state = UserState.allCases.first(where: { $0.name == rawValue }) else { return nil }
        self = state
    }

    /// The ``name``, which is also the state in JSON.
    public var rawValue: String { name }

    /// The ``name``.
    public var description: String { name }
}

extension MPinError.PINChecked: RawRepresentable, Codable {
    /// Finds the value with a name.
    ///
    /// - Parameter rawValue: `no`, `maybe` or `yes`.
    /// - Returns: `nil` for any other text.
    public init?(rawValue: String) {
        switch rawValue {
        case "no": self = .no
        case "maybe": self = .maybe
        case "yes": self = .yes
        default: return nil
        }
    }

    /// The name: `no`, `maybe` or `yes`.
    public var rawValue: String {
        switch self {
        case .no: "no"
        case .maybe: "maybe"
        case .yes: "yes"
        }
    }
}
#endif

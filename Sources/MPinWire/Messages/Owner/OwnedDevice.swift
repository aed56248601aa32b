// SPDX-License-Identifier: Apache-2.0

/// A device of a user, as its owner sees it.
package struct OwnedDevice: Sendable, Equatable {
    /// The device's number among the user's devices.
    package let number: Int
    package let name: String
    /// The server's word for the device's state.
    package let state: String
    /// `YYYY-MM-DDTHH:MM:SSZ`
    package let created: String
    /// Whether this device requested the list.
    package let isCurrent: Bool

    package init(number: Int, name: String, state: String, created: String, isCurrent: Bool) {
        self.number = number
        self.name = name
        self.state = state
        self.created = created
        self.isCurrent = isCurrent
    }

    /// The object in a server's answer.
    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.number, number)
        writer.add(.name, name)
        writer.add(.state, state)
        writer.add(.created, created)
        writer.add(.current, isCurrent)
        return writer.finish()
    }

    init(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) {
        self.init(
            number: try object.integer(.number, in: body), name: object.displayText(.name, in: body) ?? "",
            state: try object.text(.state, in: body), created: object.displayText(.created, in: body) ?? "",
            isCurrent: object.displayFlag(.current, default: false, in: body))
    }
}

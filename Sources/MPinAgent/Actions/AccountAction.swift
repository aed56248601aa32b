// SPDX-License-Identifier: Apache-2.0

/// An action for one account, on the registrations of that account only.
package struct AccountAction: Sendable {
    package enum Kind: UInt8, Sendable {
        /// Reads the record. With the purpose "keys", each server is asked for its present key.
        case read = 1
        /// A request without a PIN: "deny" rejects the session with an access number.
        case send
        /// A login for a purpose of ``OwnerPurpose/all``, with the argument of that purpose.
        case logIn
        case changePIN
        /// With an enrollment code: "register" enrolls the account, "recover" replaces its registration. The argument is
        /// the device name.
        case enroll
    }

    let kind: Kind
    let purpose: String
    let argument: String

    package init(_ kind: Kind, _ purpose: String = "", _ argument: String = "") {
        (self.kind, self.purpose, self.argument) = (kind, purpose, argument)
    }

    var isKnown: Bool {
        switch kind {
        case .read: ["", "keys"].contains(purpose) && argument.isEmpty
        case .send: purpose == "deny"
        case .logIn: OwnerPurpose.find(purpose)?.isValid(argument) ?? false
        case .changePIN: purpose.isEmpty && argument.isEmpty
        case .enroll: ["register", "recover"].contains(purpose)
        }
    }

    var name: String { purpose.isEmpty ? kind == .read ? "status" : "change-pin" : purpose }

    var asksForPIN: Bool { kind != .read && kind != .send }
}

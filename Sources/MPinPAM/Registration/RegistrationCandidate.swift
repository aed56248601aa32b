// SPDX-License-Identifier: Apache-2.0
package import MPin
package import MPinWire

/// The properties of a registration that are needed to choose one.
package protocol RegistrationCandidate {
    var identityText: ByteText { get }
    var backendText: ByteText { get }
    var state: UserState { get }
    var lastRefusal: MPinStatus? { get }
}

extension User: RegistrationCandidate {}

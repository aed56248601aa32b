package import MPin
package import MPinWire

/// A registration as far as it takes to choose one.
package protocol RegistrationCandidate {
    var identityText: ByteText { get }
    var backendText: ByteText { get }
    var state: UserState { get }
}

extension User: RegistrationCandidate {}

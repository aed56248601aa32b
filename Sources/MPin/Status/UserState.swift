// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The state of a user on this machine, in the order of the SDK's documents.
///
/// It is stored by ``name``, never by number: the documents and the old implementations number the states differently.
///
/// Milagro: `UserState`
public enum UserState: Sendable, CaseIterable {
    /// New or deleted: nothing is stored and the server knows nothing.
    case invalid
    /// The server has issued an M-Pin ID and waits for the identity to be verified.
    case startedRegistration
    /// A token is stored; the user can log in.
    case registered
    /// The identity is verified, but the PIN has not been set.
    case activated
    /// Too many wrong PINs. The token is kept, unused, until the block is lifted or the user has registered again.
    case blocked

    /// The Milagro name, such as `STARTED_REGISTRATION`.
    package var word: Constant {
        switch self {
        case .invalid: "INVALID"
        case .startedRegistration: "STARTED_REGISTRATION"
        case .registered: "REGISTERED"
        case .activated: "ACTIVATED"
        case .blocked: "BLOCKED"
        }
    }

    /// The state with that Milagro name, or `nil`.
    package init?(name: ByteText) {
        for state in UserState.allCases where state.word.matches(name.bytes.span) {
            self = state
            return
        }
        return nil
    }
}

// SPDX-License-Identifier: Apache-2.0
package import MPin

/// Counts the wrong PINs of one account in one PAM handle, in one small integer that libpam keeps.
///
/// Programs ask three times, and servers block after three wrong PINs: a stuck key would block a registration in a
/// single call of sudo. The notes in the store contain this and more; this count remains if they cannot be written.
package struct HandleAttempts: Sendable, Equatable {
    /// The integer that is stored with the PAM handle.
    package private(set) var memory: Int

    private static let closed = 100

    package init(memory: Int) {
        self.memory = memory
    }

    /// Whether nothing more may be sent in this PAM handle.
    ///
    /// That is the case once the server has reported that a single try is left; with servers that do not report it,
    /// after two wrong PINs.
    package var isClosed: Bool { memory >= Self.closed }

    /// How many wrong PINs were sent in this PAM handle, as far as it is still known.
    package var wrong: Int { isClosed ? 0 : memory }

    /// Remembers how an attempt ended.
    package mutating func note(_ end: AttemptEnd) {
        guard !isClosed else { return }
        switch end {
        case .notCounted: break
        case .wrong(let left?): memory = left <= 1 ? Self.closed : memory + 1
        case .wrong(nil), .maybeCounted: memory = memory >= 1 ? Self.closed : 1
        }
    }

    /// Forgets everything after a login.
    package mutating func reset() {
        memory = 0
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The outcome of giving a registration a key.
package enum KeyBinding: Sendable {
    /// The registration has this key, which may have been bound before.
    case bound
    /// The registration has another key, which is never replaced.
    case another
    /// The registration is revoked or blocked.
    case barred
}

// SPDX-License-Identifier: Apache-2.0
internal import MPin

/// A PIN between the two halves of a change; wiped at the latest with the PAM handle.
final class KeptPIN {
    var pin: PIN?

    init(_ pin: consuming PIN) { self.pin = consume pin }
}

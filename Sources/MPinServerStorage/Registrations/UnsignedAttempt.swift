// SPDX-License-Identifier: Apache-2.0

/// An attempt without the right signature, which is answered as if there were no registration. Only administrators see
/// the reason.
package enum UnsignedAttempt {
    /// The registration has no device key, and the setting `legacy` does not accept such registrations.
    case withoutKey(number: Int)
    /// The registration has a device key, and a client with the right PIN used another one: a copy of the token on
    /// another machine.
    case keyElsewhere(number: Int)

    package init(_ registration: RegistrationRecord) {
        self =
            registration.deviceKey == nil
            ? .withoutKey(number: registration.number) : .keyElsewhere(number: registration.number)
    }
}

/// A registration that was answered about as if there were none, because its device had not signed: told to its administrator
/// and to nobody who asks.
package enum UnsignedAttempt {
    /// It has no key of a device, and the setting `legacy` takes none of those.
    case withoutKey(number: Int)
    /// It has one, and a client with the right PIN brought another: a copy of the token on another machine.
    case keyElsewhere(number: Int)

    package init(_ registration: RegistrationRecord) {
        self =
            registration.deviceKey == nil
            ? .withoutKey(number: registration.number) : .keyElsewhere(number: registration.number)
    }
}

internal import MPin

/// A PIN between the two halves of a change; wiped with the PAM handle at the latest.
final class KeptPIN {
    var pin: PIN?

    init(_ pin: consuming PIN) {
        self.pin = consume pin
    }
}

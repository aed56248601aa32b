package import MPin
package import MPinWire

/// All sentences the module says to somebody who may know. Each names the next step where there is one, in at most
/// three short lines.
package enum Message: Sendable {
    case wrongPIN(left: Int?)
    case blockedNow
    case blocked
    case revoked
    case notAllowed
    case keysReplaced
    case unreachable(mayHaveCounted: Bool)
    case failure(Constant, mayHaveCounted: Bool)
    case serverAbsent
    case notEnrolled
    case storeUnusable
    case notAPIN(length: Int)
    case notConfirmed
    case guarded
    case elsewhere
    case refusedPIN(PINWeakness)
    case newPINsDiffer
    case changed

    package var text: ByteText {
        switch self {
        case .wrongPIN(let left):
            Message.wrong(left)
        case .blockedNow:
            "Wrong PIN. It was the last try, and this enrolment is blocked now.\nTo go on: sudo mpin-enroll recover"
        case .blocked:
            "This enrolment is blocked after too many wrong PINs.\nTo go on: sudo mpin-enroll recover"
        case .revoked:
            "The server has revoked this enrolment.\nAsk your administrator."
        case .notAllowed:
            "The server does not allow this login.\nAsk your administrator."
        case .keysReplaced:
            "The server has new keys, and this enrolment is out of date.\nTo enrol again: sudo mpin-enroll recover"
        case .unreachable(let counted):
            "The M-Pin server cannot be reached.\n" + Message.effect(counted)
        case .failure(let sentence, let counted):
            sentence.text + "\n" + Message.effect(counted)
        case .notEnrolled:
            "Nobody is enrolled with M-Pin for this account here.\nTo enrol: sudo mpin-enroll"
        case .storeUnusable:
            "M-Pin cannot be used here now: see the system's log,\nor: sudo mpin-enroll status"
        case .serverAbsent:
            "The M-Pin server is not running on this machine.\nNo PIN was asked for."
        case .notAPIN(let length):
            Message.shape(length) + " Nothing was sent."
        case .notConfirmed:
            "The two PINs differ, and none was checked: one try is left."
        case .guarded:
            """
            Nothing more is sent from here: one more wrong PIN could block the enrolment.
            To use the last try, start again; or: sudo mpin-enroll test
            """
        case .elsewhere:
            "The PIN can be changed only at the machine itself."
        case .refusedPIN(let weakness):
            ByteText(weakness.explanation) + " The PIN stays as it was."
        case .newPINsDiffer:
            "The two new PINs differ. The PIN stays as it was."
        case .changed:
            "The PIN has been changed."
        }
    }

    private static func wrong(_ left: Int?) -> ByteText {
        let tries = tries(left)
        return tries.isEmpty ? "Wrong PIN." : "Wrong PIN." + tries + "."
    }

    /// How many wrong PINs came before a login; nil where there were none but those that were mistyped just now.
    @inline(never)
    static func wrong(before count: Int?, own: Int) -> ByteText? {
        guard let count, count > own else { return nil }
        var text = ByteText()
        text.append(decimal: count)
        return text + (count == 1 ? " wrong PIN since your last login." : " wrong PINs since your last login.")
    }

    /// The same with what to do about it.
    static func advised(_ wrong: ByteText) -> ByteText { wrong + "\nNot all yours? Ask your administrator." }

    /// How many tries are left, behind a space; empty when that is unknown or none.
    @inline(never)
    static func tries(_ left: Int?) -> ByteText {
        guard let left, left > 0 else { return ByteText() }
        var text: ByteText = " "
        text.append(decimal: left)
        text.append(left == 1 ? " try left" : " tries left")
        return text
    }

    /// Whether it is told in a prompt where the host shows no messages.
    ///
    /// Not for what the next prompt says anyway, and not for accounts that have no PIN to wait for.
    var belongsIntoPrompt: Bool {
        switch self {
        case .wrongPIN, .notEnrolled, .notAPIN: false
        default: true
        }
    }

    /// What the PIN looks like.
    static func shape(_ length: Int) -> ByteText {
        var text: ByteText = "Your PIN has "
        text.append(decimal: length)
        return text + " digits."
    }

    private static func effect(_ mayHaveCounted: Bool) -> ByteText {
        mayHaveCounted ? "This try may have been counted." : "Your PIN was not checked."
    }
}

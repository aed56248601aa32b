import MPin
import MPinCrypto
import MPinPAM
import MPinWire

/// A registration whose server answers what a scenario says.
final class ScriptedRegistration: LoginRegistration {
    /// What a server says to one login.
    struct ServerAnswer {
        var error: MPinError?
        var blocks = false
        /// How many wrong PINs came before, as a success tells.
        var wrong: Int?
        var milliseconds: Int64 = 12
    }

    weak var script: Script?
    var state = UserState.registered
    var pinLength: Int? = 4
    var attemptsLeft: Int?
    var lastRefusal: MPinStatus?
    var wrongSinceLastLogin: Int?
    var answers: [ServerAnswer] = []

    var refusalReason: ByteText?
    var notes = ScriptedNotes()
    /// What another process has heard from the server since the registration was opened.
    var attemptsLeftMeanwhile: Int?

    var attemptCounts: AttemptCounts? { notes.counts() }

    func beginAttempt() -> AttemptCounts? {
        if let attemptsLeftMeanwhile { attemptsLeft = attemptsLeftMeanwhile }
        return notes.isWritable ? notes.counts(making: 1) : nil
    }

    func keepNothing() {}

    func endAttempt(_ end: AttemptEnd) { notes.end(end) }

    func startLogin() {}

    /// Whether the server offers to keep the last try, and how many tries are left there.
    var serverKeepsLastTry = false
    var triesAtServer: Int?
    /// Whether what keeps the last try has used up its share of the limit there.
    var hasManyWrong = false

    func finishLogin(_ pin: borrowing PIN, keepsLastTry: Bool) throws(MPinError) {
        let isKeeping = keepsLastTry && serverKeepsLastTry
        script?.event("login \(Self.text(pin))\(isKeeping ? " keeping the last try" : "")")
        if isKeeping, let left = triesAtServer, left == 1 || hasManyWrong {
            attemptsLeft = left
            throw MPinError(.httpRequestError, "The server refused the request.", attemptsLeft: left, httpStatus: 423)
        }
        try answer()
        notes.clear()
    }

    func changePIN(from old: borrowing PIN, to new: borrowing PIN) throws(MPinError) {
        script?.event("change \(Self.text(old)) to \(Self.text(new))")
        try answer()
    }

    private func answer() throws(MPinError) {
        let answer = answers.isEmpty ? ServerAnswer() : answers.removeFirst()
        script?.clock += answer.milliseconds
        if answer.blocks { state = .blocked }
        guard let error = answer.error else {
            (attemptsLeft, wrongSinceLastLogin) = (nil, answer.wrong)
            return
        }
        if let left = error.attemptsLeft { attemptsLeft = left }
        throw error
    }

    private static func text(_ pin: borrowing PIN) -> String {
        pin.bytes.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}

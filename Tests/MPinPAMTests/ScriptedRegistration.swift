// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinCrypto
import MPinPAM
import MPinWire

/// A registration whose server gives the answers of a scenario.
final class ScriptedRegistration: LoginRegistration {
    /// The server's answer to one login.
    struct ServerAnswer {
        var error: MPinError?
        var blocks = false
        /// The earlier wrong PINs and the remaining tries, as a success reports them.
        var wrong: Int?
        var left: Int?
        var milliseconds: Int64 = 12
    }

    weak var script: Script?
    var state = UserState.registered
    var pinLength: Int? = 4
    var attemptsLeft: Int?
    var lastRefusal: MPinStatus?
    var wrongSinceLastLogin: Int?
    var answers: [ServerAnswer] = []

    var notes = ScriptedNotes()
    /// What another process has heard from the server since the registration was opened.
    var attemptsLeftMeanwhile: Int?

    var attemptCounts: AttemptCounts? { notes.counts() }

    func beginAttempt() -> AttemptCounts? {
        if let attemptsLeftMeanwhile { attemptsLeft = attemptsLeftMeanwhile }
        return notes.isWritable ? notes.counts(making: 1) : nil
    }

    var pause: Int64 {
        if notes.endsAfter != nil { notes.inFlight = notes.stalled }
        return notes.endsAfter ?? 1000
    }

    func endAttempt(_ end: AttemptEnd) { notes.end(end) }

    func startAuthentication() {}

    func finishAuthentication(_ pin: borrowing PIN) throws(MPinError) {
        script?.event("login \(Self.text(pin))")
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
            (attemptsLeft, wrongSinceLastLogin) = (answer.left, answer.wrong)
            return
        }
        if let left = error.attemptsLeft { attemptsLeft = left }
        throw error
    }

    private static func text(_ pin: borrowing PIN) -> String {
        pin.bytes.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinWire

/// The notes of login attempts with one registration, shared by all processes that make them.
///
/// Only the server decides how many wrong PINs there were. The notes only keep a program that asks three times, or
/// several programs at once, from using the last try; see `AttemptPolicy`.
package final class AttemptNotes {
    private let directory: AttemptDirectory
    private let tag: UInt32
    private var attempt = mpin_attempt()

    /// - Returns: `nil` if there are no notes, or they cannot be read or written.
    init?(of user: User, in store: AccountStore, create: Bool) {
        guard let mpinID = user.record.mpinID, let directory = store.attempts(create: create) else { return nil }
        self.directory = directory
        let bytes = mpinID.bytes
        tag = unsafe mpin_attempt_tag(bytes, bytes.count)
    }

    /// The counts; `nil` if the notes cannot be read.
    package var counts: AttemptCounts? {
        var noted = mpin_attempt_counts()
        var caller = directory.caller
        guard unsafe mpin_attempts_count(directory.number, tag, &caller, &noted) == 0 else { return nil }
        var counts = AttemptCounts()
        counts.inFlight = Int(noted.in_flight)
        counts.stalled = Int(noted.stalled)
        counts.unresolved = Int(noted.unresolved)
        counts.left = noted.left < 0 ? nil : Int(noted.left)
        counts.ownUnresolved = Int(noted.own_unresolved)
        counts.ownLeft = noted.own_left < 0 ? nil : Int(noted.own_left)
        return counts
    }

    /// - Returns: whether the note was written.
    func begin() -> Bool {
        var caller = directory.caller
        return unsafe mpin_attempt_begin(directory.number, tag, &caller, &attempt) == 0
    }

    package func end(_ end: AttemptEnd) {
        switch end {
        case .notCounted: unsafe mpin_attempt_end(directory.number, &attempt, MPIN_ATTEMPT_NOT_COUNTED, -1)
        case .maybeCounted: unsafe mpin_attempt_end(directory.number, &attempt, MPIN_ATTEMPT_MAYBE, -1)
        case .wrong(let left):
            unsafe mpin_attempt_end(directory.number, &attempt, MPIN_ATTEMPT_WRONG, Int32(clamping: left ?? -1))
        }
    }

    /// How many milliseconds to wait for attempts of other processes. The clock, which is finer than the moments at
    /// which processes wake up, makes it different for each of them.
    package static var pause: Int64 { 10 + mpin_monotonic_ns() / 64 % 32 }

    /// Removes the notes of all finished attempts: the registration has logged in.
    func clear() {
        var caller = directory.caller
        unsafe mpin_attempts_clear(directory.number, tag, &caller)
    }
}

extension MPinClient {
    package func attemptCounts(of user: User) -> AttemptCounts? {
        AttemptNotes(of: user, in: store, create: false)?.counts
    }

    /// Notes an attempt that is about to be made, and reads the server's last answer again: another process may have
    /// received a newer one.
    ///
    /// - Returns: `nil` if the note cannot be written.
    package func beginAttempt(at user: User) -> AttemptNotes? {
        readLastContact(of: user)
        guard let notes = AttemptNotes(of: user, in: store, create: true), notes.begin() else { return nil }
        return notes
    }

    /// Removes the notes of attempts with a registration that has logged in.
    func forgetAttempts(at user: User) { AttemptNotes(of: user, in: store, create: false)?.clear() }
}

/// The directory with the notes of an account's attempts, and this process as the notes name it.
final class AttemptDirectory {
    private let directory: Descriptor
    let caller: mpin_attempt_caller

    init(_ file: OpenFile) {
        directory = Descriptor(file)
        var caller = mpin_attempt_caller()
        unsafe mpin_attempt_caller_find(&caller)
        self.caller = caller
    }

    var number: Int32 { directory.number }
}

/// The counts of login attempts with a registration since its last login, as noted on this machine.
package struct AttemptCounts: Sendable, Equatable {
    /// Attempts in progress now, including the caller's own.
    package var inFlight = 0

    /// Those of them that may stay in progress: their processes are stopped, or they have taken too long.
    package var stalled = 0

    /// Attempts that the server has counted, or may have counted, without reporting what is left.
    package var unresolved = 0

    /// The lowest number of tries left that the server has reported.
    package var left: Int?

    /// ``unresolved`` of this connection or terminal only, in the last ten minutes.
    package var ownUnresolved = 0

    /// ``left`` as reported to this connection or terminal, in the last ten minutes.
    package var ownLeft: Int?

    package init() {}
}

/// How an attempt ended, in terms of the count of wrong PINs.
package enum AttemptEnd: Sendable, Equatable {
    case notCounted
    case maybeCounted
    /// The attempt was counted. `left` is nil if the server did not report what is left.
    case wrong(left: Int?)
}

extension AttemptEnd {
    /// The effect of a failed login on the count of wrong PINs.
    ///
    /// - Parameter isBlocked: whether the registration is BLOCKED now.
    @inline(never)
    package init(_ error: MPinError, isBlocked: Bool) {
        if error.code == .incorrectPIN, isBlocked || error.pinChecked == .yes {
            self = .wrong(left: isBlocked ? 0 : error.attemptsLeft)
        } else {
            self = error.pinChecked == .no ? .notCounted : .maybeCounted
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration
import MPinPAM
import MPinWire
import Testing

/// The table of verdicts, written down a second time.
struct VerdictTests {
    struct Row: Sendable {
        let outcome: LoginOutcome
        let known: ReturnCode
        let stranger: ReturnCode
        let saysSomething: Bool
    }

    static func refused(_ status: MPinStatus) -> LoginOutcome { .refused(status, attemptsLeft: nil, pinChecked: .no) }

    static let rows: [Row] = [
        Row(outcome: .loggedIn, known: .success, stranger: .success, saysSomething: false),
        Row(outcome: refused(.incorrectPIN), known: .authError, stranger: .authError, saysSomething: true),
        Row(outcome: .blockedNow, known: .maxTries, stranger: .authError, saysSomething: true),
        Row(outcome: .blockedBefore, known: .maxTries, stranger: .authError, saysSomething: true),
        Row(outcome: refused(.revoked), known: .permissionDenied, stranger: .authError, saysSomething: true),
        Row(
            outcome: refused(.identityNotAuthorized), known: .permissionDenied, stranger: .authError,
            saysSomething: true),
        Row(
            outcome: refused(.clientSecretExpired), known: .permissionDenied, stranger: .authError, saysSomething: true),
        Row(outcome: .deviceUnknown, known: .permissionDenied, stranger: .authError, saysSomething: true),
        Row(
            outcome: .unproven, known: .authInfoUnavailable, stranger: .authInfoUnavailable, saysSomething: true),
        Row(outcome: .keyLost, known: .permissionDenied, stranger: .authError, saysSomething: true),
        Row(
            outcome: refused(.networkError), known: .authInfoUnavailable, stranger: .authInfoUnavailable,
            saysSomething: true),
        Row(
            outcome: refused(.httpServerError), known: .authInfoUnavailable, stranger: .authInfoUnavailable,
            saysSomething: true),
        Row(
            outcome: refused(.responseParseError), known: .authInfoUnavailable, stranger: .authInfoUnavailable,
            saysSomething: true),
        Row(outcome: refused(.requestExpired), known: .authError, stranger: .authError, saysSomething: true),
        Row(outcome: refused(.incorrectAccessNumber), known: .authError, stranger: .authError, saysSomething: true),
        Row(outcome: refused(.httpRequestError), known: .authError, stranger: .authError, saysSomething: true),
        Row(outcome: refused(.badUserAgent), known: .authError, stranger: .authError, saysSomething: true),
        Row(outcome: .notEnrolled(isProven: true), known: .userUnknown, stranger: .authError, saysSomething: true),
        Row(outcome: .notEnrolled(isProven: false), known: .userUnknown, stranger: .authError, saysSomething: true),
        Row(outcome: .unfinished, known: .userUnknown, stranger: .authError, saysSomething: true),
        Row(outcome: .storeClosed, known: .authInfoUnavailable, stranger: .authInfoUnavailable, saysSomething: false),
        Row(outcome: .storeUnusable("x"), known: .systemError, stranger: .systemError, saysSomething: true),
        Row(outcome: refused(.storageError), known: .systemError, stranger: .systemError, saysSomething: false),
        Row(outcome: refused(.cryptoError), known: .systemError, stranger: .systemError, saysSomething: false),
        Row(outcome: refused(.flowError), known: .systemError, stranger: .systemError, saysSomething: false),
        Row(
            outcome: .failedHere(MPinError(.networkError, "x", cause: .caller)), known: .systemError,
            stranger: .systemError, saysSomething: true),
        Row(
            outcome: .failedHere(MPinError(.storageError, "x", cause: .caller)), known: .systemError,
            stranger: .systemError, saysSomething: true),
        Row(outcome: .misconfigured("x"), known: .serviceError, stranger: .serviceError, saysSomething: false),
        Row(outcome: .noAnswer, known: .authError, stranger: .authError, saysSomething: false),
        Row(outcome: refused(.pinInputCanceled), known: .authError, stranger: .authError, saysSomething: false),
        Row(
            outcome: .conversationFailed, known: .conversationError, stranger: .conversationError,
            saysSomething: false),
        Row(outcome: .notAPIN(length: 4), known: .authError, stranger: .authError, saysSomething: true),
        Row(outcome: .notAPIN(length: nil), known: .authError, stranger: .authError, saysSomething: false),
        Row(outcome: .notWhole, known: .authError, stranger: .authError, saysSomething: true),
        Row(
            outcome: .serverAbsent, known: .authInfoUnavailable, stranger: .authInfoUnavailable, saysSomething: true),
        Row(outcome: .unattended, known: .authInfoUnavailable, stranger: .authInfoUnavailable, saysSomething: false),
        Row(
            outcome: .methodUnavailable(.device, .method), known: .permissionDenied, stranger: .authError,
            saysSomething: false),
        Row(
            outcome: .remote(reason: "session 5 came over ssh", .sudoOverSSH), known: .permissionDenied,
            stranger: .authError, saysSomething: true),
        Row(outcome: .password, known: .authError, stranger: .authError, saysSomething: false),
        Row(outcome: .anotherUser, known: .authError, stranger: .authError, saysSomething: false),
        Row(outcome: .lastTryKept, known: .maxTries, stranger: .authError, saysSomething: true),
        Row(outcome: .notConfirmed, known: .authError, stranger: .authError, saysSomething: true),
    ]

    @Test(arguments: rows)
    func `each outcome has the code of the table`(_ row: Row) {
        let known = ModuleVerdict(row.outcome, for: .known, ignoresUnenrolled: false)
        let stranger = ModuleVerdict(row.outcome, for: .stranger, ignoresUnenrolled: false)
        #expect(known.code == row.known)
        #expect(stranger.code == row.stranger)
        #expect((known.message != nil) == row.saysSomething)
        #expect(stranger.message == nil)
    }

    @Test(arguments: rows)
    func `only a complete proof is a success, and only one proven absence is passed over`(_ row: Row) {
        for trust in [CallerTrust.known, .stranger] {
            for ignores in [false, true] {
                let code = ModuleVerdict(row.outcome, for: trust, ignoresUnenrolled: ignores).code
                if case .loggedIn = row.outcome {
                    #expect(code == .success)
                } else {
                    #expect(code != .success)
                }
                if case .notEnrolled(isProven: true) = row.outcome, ignores {
                    #expect(code == .ignore)
                } else {
                    #expect(code != .ignore)
                }
            }
        }
    }

    @Test(arguments: MPinStatus.allCases)
    func `no status of a refusal is a success`(_ status: MPinStatus) {
        for checked in [MPinError.PINChecked.no, .maybe, .yes] {
            let outcome = LoginOutcome.refused(status, attemptsLeft: 2, pinChecked: checked)
            #expect(ModuleVerdict(outcome, for: .known, ignoresUnenrolled: true).code != .success)
            #expect(ModuleVerdict(outcome, for: .stranger, ignoresUnenrolled: true).code != .success)
        }
    }

    @Test(arguments: rows)
    func `messages have at most three short lines and reveal only their row`(_ row: Row) throws {
        guard let text = ModuleVerdict(row.outcome, for: .known, ignoresUnenrolled: false).message?.text.string else {
            return
        }
        let lines = text.split(separator: "\n")
        #expect(1...3 ~= lines.count)
        #expect(lines.allSatisfy { $0.count <= 85 }, "\(text)")
    }
}

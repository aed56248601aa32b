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

    /// Outcomes with the same codes, and with a message or without.
    static let rows: [Row] = [
        table(.success, .success, saysSomething: false, [.loggedIn]),
        table(
            .authError, .authError, saysSomething: true,
            [
                refused(.incorrectPIN), refused(.requestExpired), refused(.incorrectAccessNumber),
                refused(.httpRequestError), refused(.badUserAgent), .notAPIN(isTold: true), .notWhole, .notConfirmed,
            ]),
        table(
            .authError, .authError, saysSomething: false,
            [.noAnswer, refused(.pinInputCanceled), .notAPIN(isTold: false), .password, .anotherUser]),
        table(.maxTries, .authError, saysSomething: true, [.blockedNow, .blockedBefore, .lastTryKept]),
        table(
            .permissionDenied, .authError, saysSomething: true,
            [
                refused(.revoked), refused(.identityNotAuthorized), refused(.clientSecretExpired), .deviceUnknown,
                .keyLost, .remote(reason: "session 5 came over ssh", .sudoOverSSH),
            ]),
        table(
            .userUnknown, .authError, saysSomething: true,
            [.notEnrolled(isProven: true), .notEnrolled(isProven: false), .unfinished]),
        table(
            .authInfoUnavailable, .authInfoUnavailable, saysSomething: true,
            [
                .unproven, refused(.networkError), refused(.httpServerError), refused(.responseParseError),
                .serverAbsent,
            ]),
        table(.authInfoUnavailable, .authInfoUnavailable, saysSomething: false, [.storeClosed, .unattended]),
        table(
            .systemError, .systemError, saysSomething: true,
            [
                .storeUnusable("x"), .failedHere(MPinError(.networkError, "x", cause: .caller)),
                .failedHere(MPinError(.storageError, "x", cause: .caller)),
            ]),
        table(
            .systemError, .systemError, saysSomething: false,
            [refused(.storageError), refused(.cryptoError), refused(.flowError)]),
        table(.serviceError, .serviceError, saysSomething: false, [.misconfigured("x")]),
        table(.conversationError, .conversationError, saysSomething: false, [.conversationFailed]),
    ].flatMap { $0 }

    private static func table(
        _ known: ReturnCode, _ stranger: ReturnCode, saysSomething: Bool, _ outcomes: [LoginOutcome]
    ) -> [Row] {
        outcomes.map { Row(outcome: $0, known: known, stranger: stranger, saysSomething: saysSomething) }
    }

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

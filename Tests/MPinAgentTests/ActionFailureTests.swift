// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinAgent
import MPinWire
import Testing

/// What mpin-enroll shows is what the agent has found out: nothing is lost or mixed up on the way.
@Suite struct ActionFailureTests {
    private func received(_ failure: ActionFailure) throws -> ActionFailure {
        var fields = failure.fields
        return try #require(ActionFailure(&fields))
    }

    @Test func `each kind of failure arrives`() throws {
        for kind in ActionFailure.Kind.allCases {
            let failure = try received(ActionFailure(kind, texts: ["unix:/run/mpin.sock", "", "daemon"]))
            #expect(failure.kind == kind && failure.texts == ["unix:/run/mpin.sock", "", "daemon"])
        }
    }

    @Test func `an error of the SDK arrives with all that its message and hint depend on`() throws {
        for code in MPinStatus.allCases {
            let error = MPinError(
                code, "The server failed.", attemptsLeft: 2, pinChecked: .maybe, httpStatus: 503, cause: .clock)
            let read = try #require(try received(ActionFailure(.callAtServer, error: error)).error)
            #expect(read.code == code && read.sentence == "The server failed." && read.attemptsLeft == 2)
            #expect(read.pinChecked == .maybe && read.httpStatus == 503 && read.cause == .clock)
            #expect(read.message == error.message && read.secondAuthority == nil && read.retryAfter == nil)
        }
        let authority = MPinError(
            .httpServerError, relayed: "It failed.", of: "https://b.example: ", attemptsLeft: nil, pinChecked: .yes,
            httpStatus: nil, cause: .limited, retryAfter: 30)
        let read = try #require(try received(ActionFailure(.call, error: authority)).error)
        #expect(read.secondAuthority == "https://b.example" && read.retryAfter == 30 && read.pinChecked == .yes)
        #expect(read.attemptsLeft == nil && read.httpStatus == nil && read.cause == .limited)
    }

    @Test func `an error of the store arrives`() throws {
        let all: [StoreError] = [
            .notEnrolled, .noStore, .notPermitted, .unsafe("x"), .damaged("x"), .failed(28), .failed(0),
            .badAccountName, .busy, .noMemory, .full,
        ]
        for error in all {
            let read = try #require(try received(ActionFailure(.store, store: error)).storeError)
            #expect("\(read)".prefix(5) == "\(error)".prefix(5))
            if case .failed(let number) = error {
                guard case .failed(number) = read else {
                    Issue.record("\(read)")
                    continue
                }
            }
        }
    }

    @Test func `a damaged message is no failure`() {
        let bytes = ActionFailure(.call, error: MPinError(.revoked, "No."), texts: ["a"]).fields.bytes
        for count in bytes.indices {
            var fields = ActionFields(Array(bytes[..<count]))
            #expect(ActionFailure(&fields) == nil)
        }
        var longer = ActionFields(bytes + [0])
        #expect(ActionFailure(&longer) == nil)
        var huge = ActionFields(Array("0\u{0}0\u{0}\u{0}\u{0}99999999999\u{0}".utf8))
        #expect(ActionFailure(&huge) == nil)
    }
}

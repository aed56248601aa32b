// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The output of `tpm-probe` about its last call.
struct TPMCall {
    /// The outcomes, as in CTPM.h.
    enum Outcome: Int {
        case done, noLibrary, absent, notPermitted, unknownKey, noAnswer, busy, malformed, failed,
            shortage
    }

    let outcome: Outcome
    /// The response code, in hexadecimal.
    let response: String
    let error: Int32
    let milliseconds: Int
    /// How many variables TSS2_LOG... were left in the environment.
    let variables: Int
    /// The lines after that.
    let results: [String]
    let errors: String

    static let program = Products.directory + "/tpm-probe"

    init(_ run: Run) throws {
        let calls = run.lines.filter { $0.split(separator: " ").count == 5 }
        let words = try #require(calls.last, "\(run.all)").split(separator: " ").map(String.init)
        outcome = try #require(Int(words[0]).flatMap { Outcome(rawValue: $0) })
        response = words[1]
        error = try #require(Int32(words[2]))
        milliseconds = try #require(Int(words[3]))
        variables = try #require(Int(words[4]))
        results = run.lines.filter { !calls.contains($0) }
        errors = run.errors
    }

    /// - Parameter launcher: a program that starts the probe.
    init(
        _ device: String, _ arguments: String..., milliseconds: Int = 10_000, program: String = Self.program,
        launcher: [String] = [], environment: [String: String] = [:]
    ) throws {
        let call = launcher + [program, device, "\(milliseconds)"] + arguments
        try self.init(Run(call[0], Array(call.dropFirst()), environment: environment))
    }
}

// SPDX-License-Identifier: Apache-2.0
import MPinPAM
import MPinWire
import ManualPages
import Testing

/// The return codes and messages in pam_mpin(8), compared with the code's tables.
struct ManualTests {
    @Test func `the manual has every return code, and no other`() throws {
        let page = try ManualPage("pam_mpin.8").items(in: "EXIT STATUS")
        #expect(page.sorted() == ReturnCode.allCases.map { "Dv PAM_\($0.name)" }.sorted())
    }

    @Test func `the manual has every message for a known caller, and no other`() throws {
        let outcomes = VerdictTests.rows.map(\.outcome) + [.elsewhere, .newPINsDiffer, .changed]
        let sentences = outcomes.compactMap { outcome -> String? in
            if case .failedHere = outcome { return nil }
            let message = ModuleVerdict(outcome, for: .known, ignoresUnenrolled: false).message
            return message?.text.string.replacing("\n", with: " ")
        }
        let page = try ManualPage("pam_mpin.8").items(in: "DIAGNOSTICS")
        #expect(Set(page) == Set(sentences))
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPin
package import MPinWire

/// The result of a call: the return code for the host program, the message for the user.
package struct ModuleVerdict: Sendable {
    package let code: ReturnCode
    /// Nil if there is no message, or the caller may not see it.
    package let message: Message?

    init(_ code: ReturnCode, _ message: Message? = nil) {
        self.code = code
        self.message = message
    }

    /// The complete verdict of an outcome.
    @inline(never)
    init(_ outcome: LoginOutcome) {
        let row = outcome.row()
        self.init(row.code, row.message)
    }

    /// The verdict of an outcome, reduced to what the caller may know.
    ///
    /// - Parameters:
    ///   - ignoresUnenrolled: whether an account that is proven not to be enrolled is skipped.
    ///   - failure: the sentence of the failure itself.
    @inline(never)
    package init(
        _ outcome: LoginOutcome, for trust: CallerTrust, ignoresUnenrolled: Bool, failure: Constant? = nil
    ) {
        let row = outcome.row(failure: failure)
        if case .notEnrolled(isProven: true) = outcome, ignoresUnenrolled {
            self.init(.ignore)
        } else if trust == .stranger {
            self.init(ModuleVerdict.plain(row.code))
        } else {
            self.init(row.code, row.message)
        }
    }

    /// The return code for a stranger, instead of one that would reveal something about the account.
    private static func plain(_ code: ReturnCode) -> ReturnCode {
        switch code {
        case .maxTries, .permissionDenied, .userUnknown: .authError
        default: code
        }
    }
}

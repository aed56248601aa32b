internal import MPin
package import MPinWire

/// What a call ends in: the return code for the host program, the sentence for the person.
package struct ModuleVerdict: Sendable {
    package let code: ReturnCode
    /// Nil where there is nothing to say, or the caller may not know it.
    package let message: Message?

    init(_ code: ReturnCode, _ message: Message? = nil) {
        self.code = code
        self.message = message
    }

    /// Everything that the table says of an outcome.
    @inline(never)
    init(_ outcome: LoginOutcome) {
        let row = outcome.row()
        self.init(row.code, row.message)
    }

    /// What the table says of an outcome, as far as the caller may know.
    ///
    /// - Parameters:
    ///   - ignoresUnenrolled: whether an account of which it is proven that it is not enrolled is passed over.
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

    /// The return code for a stranger, in place of one that would tell something about the account.
    private static func plain(_ code: ReturnCode) -> ReturnCode {
        switch code {
        case .maxTries, .permissionDenied, .userUnknown: .authError
        default: code
        }
    }
}

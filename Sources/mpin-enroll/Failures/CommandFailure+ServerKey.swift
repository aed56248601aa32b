// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent

// Failures of servers that do not prove the right key. Nothing that they answer counts, so no hint depends on it.
extension CommandFailure {
    /// The message and the hint; `nil` for another cause.
    static func aboutKey(_ cause: MPinError.Cause, of server: String) -> (String, Advice?)? {
        switch cause {
        case .unproven:
            (
                "\(server) did not sign its answer with the key of the server, so the answer does not count.",
                Advice(
                    "Try again. If that fails, another server, a proxy or an attacker may have answered. Check",
                    "server show")
            )
        case .otherServerKey:
            ("\(server) has another key than the expected one. Neither a PIN nor a code was sent.", otherKeyAdvice())
        case .noServerProof:
            (
                "\(server) does not prove its key, and this command needs that. Neither a PIN nor a code was sent.",
                Advice("Ask the server's administrator to update it.").adding(
                    "Or another server answers there. Check the address", "server show")
            )
        default: nil
        }
    }

    /// The server offers no device keys, and the administrator has not said that it is one of 2016.
    ///
    /// - Parameter way: the hint for a server that is one.
    static func unexpectedOldServer(_ server: String, _ way: Advice) -> CommandFailure {
        CommandFailure(
            .unavailable, "NETWORK_ERROR",
            "\(server) offers no device keys, so its certificate alone would decide every login. Nothing was sent.",
            advice: Advice("This may be an attack. Ask the server's administrator whether it is a server of 2016.")
                .adding(way)
                .adding("Or set in mpin.conf: old_server = yes"))
    }

    /// It contains no fingerprint: the one of the present key can be an attacker's.
    ///
    /// - Parameter isShown: whether the report shows the key that this machine expects.
    static func otherKeyAdvice(isShown: Bool = false) -> Advice {
        let first = Advice(
            "This may be an attack. Ask the server's administrator whether the server has moved or has a new key.")
        return (isShown ? first : first.adding("Show the key that this machine expects", "server show"))
            .adding("If the server has moved", "server set ADDRESS")
            .adding("If the administrator gives you the new fingerprint", "server trust FINGERPRINT")
            .adding(Advice("If the server was set up again, with a new code", rootCommand: "recover"))
    }

    /// The failure of the first login after an enrollment, whose PIN was typed twice.
    static func wrongShare(_ user: RegistrationSummary) -> CommandFailure {
        CommandFailure(
            .protocolFault, "WRONG_SHARE",
            "\(user.backend) refused the first login of \(user.identity): a share of the secret was wrong, not the PIN.",
            advice: Advice(
                "Ask the server's administrator to check the second authority. An invitation is still valid. Then run",
                "recover"))
    }
}

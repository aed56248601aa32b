// SPDX-License-Identifier: Apache-2.0
import CCurl
import Console
import FoundationEssentials
import Glibc
import MPin
import MPinConfiguration
import MPinCrypto
import SystemFiles

/// Checks whether the servers answer, and for https their certificate and clock.
struct ServerExamination {
    private(set) var findings: [Finding] = []

    init(_ configuration: Configuration, _ enrollments: EnrollmentExamination) {
        let all = enrollments.backends.union(configuration.server.map { [$0] } ?? [])
        guard !all.isEmpty else {
            // Enrollments that this caller cannot read may name one.
            guard !enrollments.findings.contains(where: { $0.grade == .unknown }) else { return }
            findings = [
                Finding(
                    "server", .warning, "No server is set.",
                    advice: Advice(
                        "Add 'server = ADDRESS' to \(configuration.file), or set up a server on this machine: "
                            + "sudo mpin-server setup"))
            ]
            return
        }
        for server in all.sorted() {
            findings += ServerExamination.findings(
                server, configuration,
                keys: enrollments.serverKeys[server] ?? ServerExamination.configuredKey(of: server, configuration))
        }
    }

    /// The key that the configuration names for its server, for users who cannot read enrollments.
    private static func configuredKey(of server: String, _ configuration: Configuration) -> [KeyFingerprint] {
        guard server == configuration.server else { return [] }
        return configuration.serverKey.flatMap { KeyFingerprint($0) }.map { [$0] } ?? []
    }

    private static func findings(
        _ server: String, _ configuration: Configuration, keys: [KeyFingerprint]
    ) -> [Finding] {
        do throws(MPinError) {
            if keys.isEmpty {
                try MPinClient.test(server, options: configuration.transport)
            } else {
                let proven = try MPinClient.hello(server, options: configuration.transport, isKnown: true)
                guard keys.allSatisfy({ $0 == proven.fingerprint }) else { return [otherKey(of: server)] }
                try MPinClient.test(server, proven, options: configuration.transport)
            }
        } catch {
            let failure = CommandFailure(error, at: server)
            guard case .foreignSocket(let server)? = failure.circumstance as? Circumstance,
                let owner = SocketOwner(server)
            else {
                let grade = failure.exitStatus == .notPermitted ? Finding.Grade.unknown : .fault
                return [Finding("server", grade, failure.message, advice: failure.advice)]
            }
            let (sentence, advice) = owner.distrust(server, configuration)
            return [Finding("server", .fault, sentence, advice: advice)]
        }
        let answers = [Finding("server", .ok, "\(server) answers.")]
        guard server.hasPrefix("https:") else { return answers }
        guard !isSelfSigned(server, configuration) else {
            return answers + [Finding("server", .ok, "The key of \(server) signs its certificate.")]
        }
        guard let view = look(server, configuration) else { return answers }
        return answers + [certificate(view, server), clock(view, server)].compactMap { $0 }
    }

    private static func otherKey(of server: String) -> Finding {
        Finding(
            "server", .fault, "\(server) has another key than enrollments here or server_key, so logins fail.",
            advice: CommandFailure.otherKeyAdvice())
    }

    /// Whether this machine trusts the certificate of a server that has just answered only because of the server's key.
    private static func isSelfSigned(_ server: String, _ configuration: Configuration) -> Bool {
        do throws(MPinError) { try MPinClient.test(server, options: configuration.transport) } catch {
            return error.cause == .unknownIssuer
        }
        return false
    }

    private static func look(_ server: String, _ configuration: Configuration) -> mpin_http_view? {
        var view = mpin_http_view()
        let isAnswered = unsafe mpin_http_look(
            server, configuration.caFile, "/etc/ssl/certs", configuration.transport.timeoutMilliseconds, &view)
        return isAnswered != 0 ? view : nil
    }

    /// How long the certificate is valid; `nil` if that is unknown.
    private static func certificate(_ view: mpin_http_view, _ server: String) -> Finding? {
        guard view.expires != 0 else { return nil }
        let days = (Int(view.expires) - time(nil)) / 86_400
        guard days < 14 else {
            return Finding("server", .ok, "The certificate of \(server) is valid for \(days) more days.")
        }
        return Finding(
            "server", .warning,
            "The certificate of \(server) expires in \(days) \(days == 1 ? "day" : "days"), on "
                + "\(TargetAccount.text(Int(view.expires))). After that, no login is possible.",
            advice: Advice("Ask the server's administrator to renew it."))
    }

    /// The difference of the clocks. Certificates and one-time passwords depend on it; logins do not.
    private static func clock(_ view: mpin_http_view, _ server: String) -> Finding? {
        guard view.date != 0 else { return nil }
        let difference = Int(view.date) - time(nil)
        guard abs(difference) > 60 else { return nil }
        return Finding(
            "server", .warning,
            "This machine's clock is \(abs(difference)) seconds \(difference > 0 ? "behind" : "ahead of") that of \(server).",
            advice: Advice("Check the clock: timedatectl"))
    }
}

/// Asks a server on this machine whether all its parts work: it may answer although every login fails, as with a full
/// disk.
struct ServerHealthExamination {
    private(set) var findings: [Finding] = []

    /// Where the service of the package has its status socket.
    private static let socket = "/run/mpin/status.sock"

    init(_ configuration: Configuration) {
        // Other users may not ask.
        guard geteuid() == 0, unsafe access(Self.socket, F_OK) == 0 else { return }
        let isHealthy: Bool
        do throws(MPinError) {
            isHealthy = try MPinClient.isHealthy(
                atStatusSocket: "unix:" + Self.socket, options: configuration.transport)
        } catch { isHealthy = false }
        guard !isHealthy else { return }
        findings = [
            Finding(
                "server", .fault, "The server on this machine reports a problem, so logins may fail.",
                advice: Advice("Show it: sudo mpin-server status"))
        ]
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import TestPeers

/// The reference server with the other features of a full relying party: access numbers, session details, one-time
/// passwords, authorization codes, logout and a description of the service.
final class HostedServer: @unchecked Sendable {
    let reference: ReferenceServer
    private let lock = NSLock()
    private var changes: @Sendable (inout ClientSettings) -> Void = { _ in }
    private var received: [Exchange] = []
    private var lastCode: String?

    /// The numbers and codes that are waited for.
    static let knownCodes = ["4241703", "ad721901608b401eaeb13bcf84992801"]
    static let oneTimePassword = "035219"
    static let times = "\"expireTime\":1795217710999,\"ttlSeconds\":60,\"nowTime\":1795217650001"
    static let logout = "\"logoutURL\":\"/logout\",\"logoutData\":{\"sessionToken\":\"33\",\"userId\":\"a\"}"
    static let service =
        "{\"name\":\"Demo\",\"url\":\"https://h\",\"rps_prefix\":\"rps\",\"logo_url\":\"\",\"type\":\"online\"}"
    static let code = "\"code\":\"3f1a\""

    init(_ reference: ReferenceServer) {
        self.reference = reference
    }

    /// Has the settings changed before they are sent.
    func change(_ changes: @escaping @Sendable (inout ClientSettings) -> Void) {
        lock.withLock { self.changes = changes }
    }

    /// The bodies that a path has received, as JSON objects.
    func bodies(_ path: String) -> [[String: Any]] {
        lock.withLock { received.filter { $0.isAt(path) } }.map {
            (try? JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any]) ?? [:]
        }
    }

    /// The queries that a path has received.
    func queries(_ path: String) -> [String] {
        lock.withLock { received.filter { $0.isAt(path) }.map(\.query) }
    }

    func answer(_ exchange: Exchange) -> Answer {
        lock.withLock { received.append(exchange) }
        let body = (try? JSONSerialization.jsonObject(with: Data(exchange.body)) as? [String: Any]) ?? [:]
        switch exchange.path {
        case "/rps/clientSettings": return settings(exchange)
        case "/service": return .status(200, HostedServer.service)
        case "/rps/codeStatus":
            let isQuestion = body["status"] as? String == "wid"
            return .status(200, isQuestion ? "{\"prerollId\":\"a\",\"appName\":\"Demo\",\"appLogoURL\":\"/i\"}" : "{}")
        case "/rps/pass2": return passTwo(exchange, body)
        case "/rps/authenticate": return accessNumber(exchange)
        case "/mpinAuthenticate":
            return adding(HostedServer.times + "," + HostedServer.code, to: reference.answer(exchange))
        case "/logout": return .status(200)
        default: return reference.answer(exchange)
        }
    }

    private func settings(_ exchange: Exchange) -> Answer {
        let answer = reference.answer(exchange)
        guard var settings = try? ClientSettings.decode(answer.body.span) else { return answer }
        settings[.mobileAuthenticateURL] = "/rps/authenticate"
        settings[.codeStatusURL] = "/rps/codeStatus"
        settings[number: .checkSum] = 1
        let changes = lock.withLock { self.changes }
        changes(&settings)
        return .json(settings.encode())
    }

    private func passTwo(_ exchange: Exchange, _ body: [String: Any]) -> Answer {
        let answer = reference.answer(exchange)
        let wid = body["WID"] as? String ?? ""
        lock.withLock { lastCode = wid == "0" ? nil : wid }
        guard body["OTP"] as? Bool == true else { return answer }
        return adding("\"OTP\":\"\(HostedServer.oneTimePassword)\"", to: answer)
    }

    private func accessNumber(_ exchange: Exchange) -> Answer {
        guard let code = lock.withLock({ lastCode }), HostedServer.knownCodes.contains(code) else {
            return .status(412, "{\"message\":\"unknown\"}")
        }
        let verdict = reference.answer(
            Exchange(method: "POST", path: "/mpinAuthenticate", query: "", body: exchange.body))
        return adding(HostedServer.logout, to: verdict)
    }

    /// Appends members to the object of a success.
    private func adding(_ members: String, to answer: Answer) -> Answer {
        guard answer.status == 200, answer.body.last == UInt8(ascii: "}") else { return answer }
        return .json(Array(answer.body.dropLast()) + Array(("," + members + "}").utf8))
    }
}

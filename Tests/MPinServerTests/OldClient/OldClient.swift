// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto

/// The outcomes of the calls of the client of 2016.
enum OldStatus: String {
    case ok = "OK"
    case flowError = "FLOW_ERROR"
    case parseError = "RESPONSE_PARSE_ERROR"
    case notAuthorized = "IDENTITY_NOT_AUTHORIZED"
    case notVerified = "IDENTITY_NOT_VERIFIED"
    case requestExpired = "REQUEST_EXPIRED"
    case revoked = "REVOKED"
    case incorrectPIN = "INCORRECT_PIN"
    case incorrectAccessNumber = "INCORRECT_ACCESS_NUMBER"
    case serverError = "HTTP_SERVER_ERROR"
    case requestError = "HTTP_REQUEST_ERROR"

    /// A status of HTTP that has no meaning of its own where it came.
    static func generic(_ status: Int) -> OldStatus {
        switch status {
        case 200: .ok
        case 500...: .serverError
        default: .requestError
        }
    }
}

/// A client that speaks as recorded ones of 2016 did: it knows no `passId`, no `serverId`, and takes every URL from the
/// settings.
final class OldClient {
    /// How details are spelled where clients differ.
    struct Dialect {
        /// The C++ client sends 1, a browser's 0.
        var mobile = 1
        /// `WID` of a login without a number; nil: left out.
        var noNumber: String? = "0"
        /// `OTP` of a login without a password, and of one with one.
        var noPassword = OldJSON.flag(false)
        var password = OldJSON.flag(true)
    }

    enum State: String {
        case invalid, startedRegistration, activated, registered, blocked
    }

    let transport: OldTransport
    let dialect: Dialect
    let identity: String
    /// Where the second authority is, if it is elsewhere.
    var secondAuthority: SocketPeer?
    var settings: [String: Any] = [:]
    var state = State.invalid
    var mpinID = ""
    var regOTT = ""
    var shares: [[UInt8]] = []
    var token: [UInt8] = []
    /// The second share of a permit, by its day.
    var cachedPermit: (day: Int, share: [UInt8])?
    var permit: (day: Int, point: [UInt8])?
    /// Where and with what to log out.
    var logoutAt: (url: String, data: Any)?
    /// Paths of the requests so far, M-Pin IDs left out.
    var paths: [String] = []

    init(_ identity: String, at peer: SocketPeer, dialect: Dialect = Dialect()) {
        self.identity = identity
        transport = OldTransport(peer: peer)
        self.dialect = dialect
    }

    /// Fetches the settings.
    func setBackend() throws -> OldStatus {
        let answer = try get("/rps/clientSettings")
        guard answer.status == 200 else { return .generic(answer.status) }
        settings = answer.object
        return settings.isEmpty ? .parseError : .ok
    }

    /// The path of a URL in the settings; a relative one belongs to the server they came from.
    func path(_ name: String) -> String {
        let url = settings[name] as? String ?? ""
        guard let scheme = url.range(of: "://") else { return url }
        return String(url[scheme.upperBound...].drop { $0 != "/" })
    }

    func get(_ path: String) throws -> Answer {
        note(path)
        if let secondAuthority, !settings.isEmpty, path.hasPrefix(self.path("certivoxURL")) {
            return try OldTransport(peer: secondAuthority).get(path)
        }
        return try transport.get(path)
    }

    func send(_ method: String, _ path: String, _ body: OldJSON) throws -> Answer {
        note(path)
        return try transport.send(method, path, body)
    }

    private func note(_ path: String) {
        paths.append(
            String(path.prefix { $0 != "?" }).split(separator: "/").filter { $0.utf8.count < 64 }.joined(separator: "/")
        )
    }
}

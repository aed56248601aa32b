// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

/// The waiting side of a login by access number, like a browser's script, with its cookie.
final class WaitingBrowser: @unchecked Sendable {
    let number: String
    private let socket: String
    private let webOTT: String
    private var cookie: String?
    private let done = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - hostSecret: the secret of a host.
    ///   - purpose: the stated purpose of the login.
    init(at machine: Machine, hostSecret: String? = nil, purpose: [String: Any] = [:]) throws {
        socket = machine.socket
        let session = try Self.post(
            "/rps/getAccessNumber", purpose, headers: hostSecret.map { ["Authorization: Bearer " + $0] } ?? [],
            to: machine.socket
        ).members
        number = try #require(session["accessNumber"] as? String)
        webOTT = try #require(session["webOTT"] as? String)
    }

    /// The server's current status of the session.
    func poll() throws -> [String: Any] {
        try Self.post("/rps/access", ["webOTT": webOTT], to: socket).members
    }

    /// Polls on a separate thread until the login is approved, and then signs in.
    func wait(seconds: Double = 120) {
        Thread.detachNewThread { [self] in
            let end = Date(timeIntervalSinceNow: seconds)
            while Date() < end {
                usleep(50_000)
                guard let state = try? poll() else { break }
                if state["status"] as? String == "expired" { break }
                guard state["status"] as? String == "authenticate", let handle = state["authOTT"] as? String else {
                    continue
                }
                let signedIn = try? Self.post(
                    "/mpinAuthenticate", ["mpinResponse": ["authOTT": handle]], to: socket)
                cookie = signedIn?.cookie
                break
            }
            done.signal()
        }
    }

    /// The identity that is signed in here, after ``wait(seconds:)`` has ended.
    func identity() -> String? {
        guard let cookie else { return nil }
        let answer = UnixRequest.send(
            Exchange(method: "GET", path: "/session", query: "", body: []), headers: ["Cookie: " + cookie], to: socket)
        guard let answer, answer.status == 200 else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])?["userId"] as? String
    }

    /// Waits for the login while a command approves it.
    func during<Result>(_ approval: () throws -> Result) rethrows -> Result {
        wait()
        defer { waitUntilDone() }
        return try approval()
    }

    func waitUntilDone() { done.wait() }

    static func post(
        _ path: String, _ body: [String: Any], headers: [String] = [], to socket: String
    ) throws -> (status: Int, members: [String: Any], cookie: String?) {
        let text = try JSONSerialization.data(withJSONObject: body)
        let answer = try #require(
            UnixRequest.send(
                Exchange(method: "POST", path: path, query: "", body: Array(text)),
                headers: ["Content-Type: application/json"] + headers, to: socket))
        let members = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let line = answer.headers.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") }
        let cookie = line?.split(separator: ":", maxSplits: 1).last?.split(separator: ";").first
        return (answer.status, members ?? [:], cookie.map { $0.trimmingCharacters(in: .whitespaces) })
    }
}

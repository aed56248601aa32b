// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Requests that wait for another one, over the socket.
@Suite(.serialized) struct DeferredResponseTests {
    /// A request on a thread of its own. Not a task: those wait for each other where tests leave no thread free.
    private final class Held: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)
        private var answer: Result<Answer, any Error>?

        init(_ request: @escaping @Sendable () throws -> Answer) {
            Thread.detachNewThread { [self] in
                answer = Result { try request() }
                done.signal()
            }
        }

        /// The answer, once it has come; to be asked for once.
        func value() throws -> Answer {
            done.wait()
            return try #require(answer).get()
        }
    }

    /// A device's final request for a session.
    private func bring(_ user: ClientRegistration, _ code: String, at peer: SocketPeer) throws -> Held {
        let second = try Login(user, at: peer).passTwo(at: peer, wid: code)
        let handle = second.string("authOTT")
        return Held { try peer.post("/rps/authenticate", ["mpinResponse": ["authOTT": handle]]) }
    }

    /// Polls until a login has come.
    private func arrived(_ waiting: Waiting, _ peer: SocketPeer) throws -> Bool {
        for _ in 0..<2_000 {
            if try waiting.status(at: peer) == "authenticate" { return true }
            usleep(10_000)
        }
        return false
    }

    @Test func `a device is answered as soon as the session takes the login`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let waiting = try Waiting(at: server.peer)
        let device = try bring(alice, waiting.code, at: server.peer)
        #expect(try arrived(waiting, server.peer))
        usleep(300_000)
        let start = ContinuousClock.now
        let entered = try waiting.enter(at: server.peer)
        let answer = try device.value()
        // The end of the time would be later.
        #expect(ContinuousClock.now - start < .seconds(9))
        #expect(answer.status == 200)
        #expect(answer.string("logoutURL") == "/logout")
        let cookie = String(entered.headers["set-cookie"]?.prefix { $0 != ";" } ?? "")
        let browser = SocketPeer(path: server.socket, headers: ["Cookie: \(cookie)", "Content-Type: application/json"])
        #expect(try browser.get("/session").string("userId") == "alice")
        let data = try #require(answer.object["logoutData"] as? [String: Any])
        #expect(try server.peer.post("/logout", data).status == 200)
        #expect(try browser.get("/session").status == 401)
    }

    @Test func `a session that never comes costs the device the time, and nothing else`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let waiting = try Waiting(at: server.peer)
        let start = ContinuousClock.now
        let answer = try bring(alice, waiting.code, at: server.peer).value()
        #expect(answer.status == 408)
        #expect((.milliseconds(9_900)..<(.seconds(40))).contains(ContinuousClock.now - start))
        #expect(try waiting.status(at: server.peer) == "expired")
        #expect(try alice.login(at: server.peer).status == 200)
    }

    @Test func `devices that wait occupy no thread`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let sessions = try (0..<28).map { _ in try Waiting(at: server.peer) }
        var devices: [Held] = []
        let begin = ContinuousClock.now
        for waiting in sessions { devices.append(try bring(alice, waiting.code, at: server.peer)) }
        for waiting in sessions { _ = try arrived(waiting, server.peer) }
        #expect(try alice.login(at: server.peer).status == 200)
        let entered = try sessions.map { try $0.enter(at: server.peer).status }
        let answered = try devices.map { try $0.value().status }
        // A slow machine may take so long that the devices have waited for too long.
        let isSlow = ContinuousClock.now - begin > .seconds(9)
        #expect((entered + answered).allSatisfy { $0 == 200 } || isSlow, "\(entered) \(answered)")
    }

    @Test func `a device that goes away leaves the session as it is`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let waiting = try Waiting(at: server.peer)
        let second = try Login(alice, at: server.peer).passTwo(at: server.peer, wid: waiting.code)
        let body = "{\"mpinResponse\":{\"authOTT\":\"\(second.string("authOTT"))\"}}"
        let head = "POST /rps/authenticate HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let file = try server.peer.connect()
        let bytes = Array((head + body).utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        #expect(try arrived(waiting, server.peer))
        close(file)
        usleep(200_000)
        #expect(try waiting.enter(at: server.peer).status == 200)
        #expect(server.stop() == 0)
    }

    @Test func `a server that stops waits for no session`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let waiting = try Waiting(at: server.peer)
        let device = try bring(alice, waiting.code, at: server.peer)
        #expect(try arrived(waiting, server.peer))
        let start = ContinuousClock.now
        #expect(server.stop() == 0)
        #expect(ContinuousClock.now - start < .seconds(9))
        #expect(try device.value().status == 503)
    }
}

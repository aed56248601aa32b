// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Synchronization

/// A page that waits: polls for a login on a thread of its own, as scripts do, and takes it up.
final class OldBrowser: Sendable {
    let waiting: Waiting
    private let peer: SocketPeer
    private let entered = Mutex<Answer?>(nil)
    private let seen = Mutex<[String]>([])
    private let done = DispatchSemaphore(value: 0)

    init(_ server: RunningServer, link: Bool = false) throws {
        peer = server.peer
        waiting = try Waiting(at: peer, link: link)
        let first = try waiting.status(at: peer)
        seen.withLock { $0.append(first) }
        let thread = Thread { [self] in
            for _ in 0..<3_000 {
                let status = (try? waiting.status(at: peer)) ?? "gone"
                seen.withLock { if $0.last != status { $0.append(status) } }
                if status == "authenticate" {
                    entered.withLock { $0 = try? waiting.enter(at: peer) }
                    break
                }
                if status == "expired" || status == "gone" { break }
                usleep(10_000)
            }
            done.signal()
        }
        thread.start()
    }

    /// Whether the page comes to see a status, however slow the machine is.
    func sees(_ status: String) -> Bool {
        for _ in 0..<1_500 {
            if seen.withLock(\.last) == status { return true }
            usleep(20_000)
        }
        return false
    }

    /// The result of the login, or nil. Waits for the thread.
    func outcome() -> (answer: Answer?, seen: [String]) {
        done.wait()
        done.signal()
        return (entered.withLock { $0 }, seen.withLock { $0 })
    }

    /// The user who is logged in there.
    func session() throws -> Answer {
        let cookie = outcome().answer?.headers["set-cookie"]?.prefix { $0 != ";" } ?? ""
        var peer = peer
        peer.headers = ["Cookie: \(cookie)"]
        return try peer.get("/session")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A device that logs in again and again, with right and wrong PINs, and notes what the servers answer.
final class DeviceLoad: Sendable {
    struct Notes {
        /// The wrong PINs that were sent, and those that a server called wrong.
        var (asked, answered) = (0, 0)
        /// The last ones that were accepted.
        var accepted: [DirectRequest] = []
        var right = 0
        /// Answers that no login may get.
        var unexpected: [String] = []
    }

    let device: Device
    private let current = Mutex(Notes())

    init(_ device: Device) { self.device = device }

    var notes: Notes { current.withLock { $0 } }
    var user: String { device.enrolled.user }

    /// Sends one wrong PIN.
    func guess(at peer: some Peer) {
        current.withLock { $0.asked += 1 }
        let answer = Result { try device.login(pin: "9999", at: peer) }
        current.withLock { notes in
            switch (try? answer.get())?.status {
            case 401: notes.answered += 1
            // No answer of a server that was killed.
            case nil, 429, 503: break
            case let status?: notes.unexpected.append("\(status) after a wrong PIN")
            }
        }
    }

    /// Sends the right PIN once.
    ///
    /// - Returns: whether it was accepted.
    @discardableResult func logIn(at peer: some Peer) throws -> Bool {
        let request = try DirectRequest(device)
        let answer = Result { try request.send(at: peer) }
        return current.withLock { notes in
            switch (try? answer.get())?.status {
            case 200:
                notes.right += 1
                notes.accepted = notes.accepted.suffix(200) + [request]
                return true
            case nil, 429, 503: return false
            case let status?:
                notes.unexpected.append("\(status) after the right PIN")
                return false
            }
        }
    }

    /// Sends right and wrong PINs to all servers in turns. Never two wrong PINs in a row.
    func run(at peers: [some Peer], while isGoing: () -> Bool) throws {
        var turn = 0
        while isGoing() {
            turn += 1
            guess(at: peers[turn % peers.count])
            turn += 1
            while try !logIn(at: peers[turn % peers.count]), isGoing() {
                turn += 1
                usleep(10_000)
            }
        }
    }
}

/// What several threads do until they are told to stop.
final class Background: Sendable {
    private let isOver = Atomic(false)
    private let running = DispatchGroup()
    private let fault = Mutex<(any Error)?>(nil)

    func start(_ body: @escaping @Sendable (_ isGoing: () -> Bool) throws -> Void) {
        running.enter()
        Thread.detachNewThread { [self] in
            do { try body { !isOver.load(ordering: .relaxed) } } catch { fault.withLock { $0 = error } }
            running.leave()
        }
    }

    /// Waits for the threads.
    func stop() throws {
        isOver.store(true, ordering: .relaxed)
        guard running.wait(timeout: .now() + 120) == .success else { throw ThreadsHang() }
        if let fault = fault.withLock({ $0 }) { throw fault }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Logging
internal import MPinServerStorage
import Synchronization

/// The mails that wait to be sent. Kept only in memory, because they contain codes in the clear. After a restart of the
/// server, users request another mail.
final class MailQueue: Sendable {
    /// Seconds until each retry.
    private static let delays: [Double] = [2, 10, 60, 300, 900]

    private let server: MailServer
    private let logger: Logger
    private let limit: Int
    private let count = Mutex(0)
    private let workers: OperationQueue

    /// - Parameter limit: how many mails wait at most.
    init(server: MailServer, logger: Logger, limit: Int = 256) {
        (self.server, self.logger, self.limit) = (server, logger, limit)
        workers = OperationQueue()
        workers.maxConcurrentOperationCount = 4
    }

    /// A slot for one mail, which is released with its last reference.
    final class Slot: Sendable {
        private let queue: MailQueue

        fileprivate init(_ queue: MailQueue) { self.queue = queue }

        deinit { queue.count.withLock { $0 -= 1 } }
    }

    /// How many mails wait.
    var length: Int { count.withLock { $0 } }

    /// Takes a slot; nil if there is none.
    func slot() -> Slot? {
        let hasRoom = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return hasRoom ? Slot(self) : nil
    }

    /// Sends a mail that has a slot.
    ///
    /// - Parameter completion: called once, on another thread: with nil when the mail server has accepted the mail,
    ///   otherwise with the reason why it never will.
    func send(
        _ text: [UInt8], to recipient: MailAddress, in slot: Slot, completion: @escaping @Sendable (String?) -> Void
    ) {
        attempt(0, text, recipient) { failure in
            completion(failure)
            withExtendedLifetime(slot) {}
        }
    }

    private func attempt(
        _ number: Int, _ text: [UInt8], _ recipient: MailAddress, _ completion: @escaping @Sendable (String?) -> Void
    ) {
        workers.addOperation { [self] in
            switch server.send(text, to: recipient) {
            case .sent: completion(nil)
            case .refused(let status): completion("the mail server answered \(status)")
            case .failed(let reason):
                logger.warning("mail not sent", metadata: ["reason": "\(reason)", "try": "\(number + 1)"])
                guard number < Self.delays.count else { return completion(reason) }
                DispatchQueue.global().asyncAfter(deadline: .now() + Self.delays[number]) { [self] in
                    attempt(number + 1, text, recipient, completion)
                }
            }
        }
    }
}

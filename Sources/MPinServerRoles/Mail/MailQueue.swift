// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Logging
internal import MPinServerStorage

/// The mails that wait to be sent. Kept only in memory, because they contain codes in the clear. After a restart of the
/// server, users request another mail.
final class MailQueue: Sendable {
    /// Seconds until each retry.
    private static let delays: [Double] = [2, 10, 60, 300, 900]

    private let server: MailServer
    private let logger: Logger
    /// One for each mail that waits.
    let places = Places(limit: 256)
    private let workers: OperationQueue

    init(server: MailServer, logger: Logger) {
        (self.server, self.logger) = (server, logger)
        workers = OperationQueue()
        workers.maxConcurrentOperationCount = 4
    }

    /// Sends a mail that has a place.
    ///
    /// - Parameter completion: called once, on another thread: with nil when the mail server has accepted the mail,
    ///   otherwise with the reason why it never will.
    func send(
        _ text: [UInt8], to recipient: MailAddress, in place: Places.Taken,
        completion: @escaping @Sendable (String?) -> Void
    ) {
        attempt(0, text, recipient) { failure in
            completion(failure)
            place.leave()
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

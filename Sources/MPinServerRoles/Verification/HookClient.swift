// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinServerStorage
internal import MPinWire

/// The client of the site's own application, which decides whether an identity may register.
///
/// It calls only the configured URL, does not follow redirects, and waits ten seconds at most. Requests wait on threads
/// of their own.
final class HookClient: Sendable {
    enum Decision: Sendable {
        /// The identity counts as verified.
        case activate
        /// The registration waits until the application, or the person with the link, activates it.
        case hold
        case refuse
        /// It could not be asked, or its answer was not understood. The reason is for the log.
        case unavailable(reason: String)
    }

    /// How many requests there may be at once.
    private static let limit = 16
    /// The time for a request, and for the work around it.
    private static let patience = Duration.seconds(15)
    private static let answerLimit = 65_536

    private let request: OutgoingRequest
    private let places = Places(limit: HookClient.limit)
    private let threads: OperationQueue

    init(url: String) {
        request = OutgoingRequest(url: url, certificateFile: nil)
        threads = OperationQueue()
        threads.maxConcurrentOperationCount = Self.limit
    }

    /// Runs work that calls the application, on a thread that may block.
    ///
    /// - Returns: the response to come, or a refusal if too many calls wait already.
    func wait(_ work: @escaping @Sendable () -> Response) -> RouteResult {
        guard let place = places.take() else {
            return .now(.refusal(Refusal(503, "Too many registrations are waiting to be verified; try again later")))
        }
        let deferred = DeferredResponse(patience: Self.patience) { true }
        threads.addOperation {
            let response = work()
            place.leave()
            deferred.complete(response)
        }
        return .later(deferred)
    }

    func ask(_ message: VerifyRequest) -> Decision {
        var answer = [UInt8](repeating: 0, count: Self.answerLimit)
        var bytes = answer.mutableSpan
        let (status, length) = request.send(message.encode(), into: &bytes)
        switch status {
        case 200..<300:
            do throws(WireError) {
                return try VerifyResponse.decode(answer.span.extracting(0..<length)).forceActivate ? .activate : .hold
            } catch { return .unavailable(reason: "its answer is not a valid JSON object") }
        case 400..<500: return .refuse
        case 300..<400: return .unavailable(reason: "it redirects (\(status)), and redirects are not followed")
        case 0...: return .unavailable(reason: "it answered \(status)")
        default: return .unavailable(reason: "it is unreachable, not trusted, or did not answer in time")
        }
    }
}

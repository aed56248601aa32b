// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A response that another request completes. Until then it occupies no thread.
///
/// It is completed once: by that request, at the deadline, or when the server stops, whichever is first.
package final class DeferredResponse: Sendable {
    private enum State {
        case open(CheckedContinuation<Response, Never>?)
        case completed(Response)
    }

    private let state = Mutex(State.open(nil))
    /// How the response is changed before it is sent; nil for not at all.
    private let change = Mutex<(@Sendable (Response) -> Response)?>(nil)
    private let patience: Duration
    private let late: Refusal
    private let withdraw: @Sendable () -> Bool

    /// - Parameter withdraw: withdraws what the other request would redeem. Returns false if that request has redeemed
    ///   it already and is about to complete this response.
    init(patience: Duration, late: Refusal = .timedOut, withdraw: @escaping @Sendable () -> Bool) {
        (self.patience, self.late, self.withdraw) = (patience, late, withdraw)
    }

    /// The response, as soon as it is complete. To be awaited once.
    ///
    /// A canceled task gets a refusal that is never sent. An approval stays valid until its deadline.
    package func answer() async -> Response { changed(await completion()) }

    private func completion() async -> Response {
        let timer = Task {
            try await Task.sleep(for: patience)
            expire()
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Response? = state.withLock { state in
                    switch state {
                    case .completed(let response): return response
                    case .open(nil):
                        state = .open(continuation)
                        return nil
                    case .open: return .refusal(.failure)
                    }
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            complete(.refusal(.stopping))
        }
    }

    /// The response, if it is complete already.
    package var response: Response? {
        let completed: Response? = state.withLock { if case .completed(let response) = $0 { response } else { nil } }
        return completed.map(changed)
    }

    /// Changes the response, also one of a timeout. To be called before it is awaited.
    func change(_ change: @escaping @Sendable (Response) -> Response) { self.change.withLock { $0 = change } }

    private func changed(_ response: Response) -> Response {
        let change = change.withLock { $0 }
        return change?(response) ?? response
    }

    /// Ends the wait at the deadline.
    package func expire() { if withdraw() { lapse() } }

    /// Completes the response, because it is too late for an answer.
    func lapse() { complete(.refusal(late)) }

    /// Ends the wait because the server stops.
    package func abandon() { if withdraw() { complete(.refusal(.stopping)) } }

    /// Completes the response. Only the first call has an effect.
    func complete(_ response: Response) {
        let waiting: CheckedContinuation<Response, Never>? = state.withLock { state in
            guard case .open(let waiting) = state else { return nil }
            state = .completed(response)
            return waiting
        }
        waiting?.resume(returning: response)
    }
}

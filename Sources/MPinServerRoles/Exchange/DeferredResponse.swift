import Synchronization

/// A response that another request completes; meanwhile it occupies no thread.
///
/// It is completed once: by that request, at the deadline, or when the server stops, whichever comes first.
package final class DeferredResponse: Sendable {
    private enum State {
        case open(CheckedContinuation<Response, Never>?)
        case completed(Response)
    }

    private let state = Mutex(State.open(nil))
    private let patience: Duration
    private let late: Refusal
    private let withdraw: @Sendable () -> Bool

    /// - Parameters:
    ///   - patience: how long to wait.
    ///   - late: the response when that is over.
    ///   - withdraw: withdraws what the other request would redeem; false when that request has redeemed it already and
    ///     is about to complete this.
    init(patience: Duration, late: Refusal = .timedOut, withdraw: @escaping @Sendable () -> Bool) {
        self.patience = patience
        self.late = late
        self.withdraw = withdraw
    }

    /// The response, as soon as there is one. To be awaited once.
    ///
    /// A canceled task gets a refusal that is never sent; an approval stays valid until its deadline.
    package func answer() async -> Response {
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

    /// The response, where it is completed already.
    package var response: Response? {
        state.withLock { if case .completed(let response) = $0 { response } else { nil } }
    }

    /// The deadline has passed.
    package func expire() {
        if withdraw() { lapse() }
    }

    /// It is too late for an answer.
    func lapse() { complete(.refusal(late)) }

    /// The server stops.
    package func abandon() {
        if withdraw() { complete(.refusal(.stopping)) }
    }

    /// Gives the answer. The first one counts.
    func complete(_ response: Response) {
        let waiting: CheckedContinuation<Response, Never>? = state.withLock { state in
            guard case .open(let waiting) = state else { return nil }
            state = .completed(response)
            return waiting
        }
        waiting?.resume(returning: response)
    }
}

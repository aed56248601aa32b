// SPDX-License-Identifier: Apache-2.0

/// Lets one call of a client begin at a time, in the order of their arrival. A task that waits here can be canceled at
/// once; one that waited for the client's actor could not.
actor CallTurns {
    private var isTaken = false
    private var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var lastNumber = 0

    /// Waits for the turn.
    ///
    /// - Returns: whether the caller has the turn, and must give it back; false if its task was canceled.
    func take() async -> Bool {
        guard !Task.isCancelled else { return false }
        guard isTaken else {
            isTaken = true
            return true
        }
        lastNumber += 1
        let number = lastNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append((number, $0)) }
        } onCancel: {
            // Runs after the line above, because the actor is busy until then.
            Task { await self.leave(number) }
        }
    }

    /// Gives the turn to the next call.
    func give() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().continuation.resume(returning: true) }
    }

    private func leave(_ number: Int) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).continuation.resume(returning: false)
    }
}

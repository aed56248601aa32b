// SPDX-License-Identifier: Apache-2.0

/// A report that is made once at a time, and again only after an interval. Those who ask meanwhile get the same one.
///
/// On the port for metrics the readers are unknown, and each report needs threads of the server and opens the master
/// shares.
actor SharedReport<Report: Sendable> {
    private let interval: Duration
    private let make: @Sendable () async -> Report
    private var last: (task: Task<Report, Never>, begin: ContinuousClock.Instant)?
    private var isRunning = false

    init(every interval: Duration, _ make: @escaping @Sendable () async -> Report) {
        (self.interval, self.make) = (interval, make)
    }

    func report() async -> Report {
        if let last, isRunning || last.begin.duration(to: .now) < interval { return await last.task.value }
        let task = Task { [make] in await make() }
        last = (task, .now)
        isRunning = true
        defer { isRunning = false }
        return await task.value
    }
}

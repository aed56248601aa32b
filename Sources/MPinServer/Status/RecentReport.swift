// SPDX-License-Identifier: Apache-2.0

/// A report that is made at most once a second, for readers that are unknown: each one needs threads of the server and
/// opens the master shares.
actor RecentReport<Report: Sendable> {
    private let make: @Sendable () async -> Report
    private var last: (task: Task<Report, Never>, begin: ContinuousClock.Instant)?

    init(_ make: @escaping @Sendable () async -> Report) { self.make = make }

    /// The report that was begun within the last second, or a new one.
    func report() async -> Report {
        if let last, last.begin.duration(to: .now) < .seconds(1) { return await last.task.value }
        let task = Task { [make] in await make() }
        last = (task, .now)
        return await task.value
    }
}

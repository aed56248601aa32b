// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage
internal import NIOCore

/// Checks whether the parts of a running server respond.
struct HealthCheck: Sendable {
    /// How long a part may take if an administrator asks.
    static let patience = Duration.seconds(2)

    let server: any RequestServer
    let workers: WorkerPools
    let loops: any EventLoopGroup
    let listeners: [ListenerState]
    /// Nil unless other servers may use the database.
    private let node: NodeWatch?
    /// If the disk does not answer, a further check waits for the same write, and takes no further thread.
    private let writing: SharedReport<String>

    init(
        server: any RequestServer, workers: WorkerPools, loops: any EventLoopGroup, listeners: [ListenerState],
        node: NodeWatch?
    ) {
        (self.server, self.workers, self.loops, self.listeners) = (server, workers, loops, listeners)
        self.node = node
        writing = SharedReport(every: .zero) { await Self.outcome(workers, of: { try server.checkWriting() }) }
    }

    /// Whether the process works: it answers a request and reads its database. The service manager restarts a process
    /// that does not, so this checks nothing that a restart would not fix, such as a full disk.
    func life(within patience: Duration) async -> HealthReport {
        // Nor would a restart bring back a database on another host, for which all threads may be waiting.
        guard node == nil else {
            return HealthReport(parts: [(.requests, await requests(patience, withoutThreads: true))])
        }
        async let requests = self.requests(patience)
        async let database = fault(patience) { [server] in try server.readDatabase() }
        return HealthReport(parts: [(.requests, await requests), (.database, await database)])
    }

    /// Whether everything that clients need works.
    func all() async -> HealthReport {
        let patience = Self.patience
        async let requests = self.requests(patience)
        async let database = self.database(patience)
        async let shares = self.shares(patience)
        async let clock = self.clock(patience)
        let common: [(part: HealthReport.Part, fault: String?)] = [
            (.listener, listenerFault), (.requests, await requests), (.database, await database),
        ]
        let nodes: [(part: HealthReport.Part, fault: String?)] = node.map { [(.node, $0.fault)] } ?? []
        return HealthReport(parts: common + nodes + (await clock) + (await shares))
    }

    private var listenerFault: String? {
        let faults = listeners.compactMap(\.fault)
        return faults.isEmpty ? nil : faults.joined(separator: ", ")
    }

    /// Reads the database, and writes to it as durably as a login.
    private func database(_ patience: Duration) async -> String? {
        async let reading = fault(patience) { [server] in try server.checkDatabase() }
        async let written = BoundedWait.answer(within: patience) { [writing] in await writing.report() }
        let faults = (await reading, Self.fault(await written))
        return faults.0 ?? faults.1
    }

    /// An authority alone accepts no logins.
    private func clock(_ patience: Duration) async -> [(part: HealthReport.Part, fault: String?)] {
        guard server.role != .authority else { return [] }
        return [(.clock, await fault(patience) { [server] in try server.checkClock() })]
    }

    /// The master shares on this server.
    private func shares(_ patience: Duration) async -> [(part: HealthReport.Part, fault: String?)] {
        let numbers = server.role.shares
        async let first = fault(patience) { [server] in if numbers.contains(1) { try server.openMasterShare(1) } }
        async let second = fault(patience) { [server] in if numbers.contains(2) { try server.openMasterShare(2) } }
        return [(.authority1, await first), (.authority2, await second)].filter { part, _ in
            numbers.contains(part == .authority1 ? 1 : 2)
        }
    }

    /// Sends a request that changes nothing through the same steps as a client's: from each event loop to the threads
    /// of its class and back.
    ///
    /// It uses no connection, because a client that takes all connections must not make the manager end the server.
    ///
    /// - Parameter withoutThreads: whether the event loops answer it themselves.
    private func requests(_ patience: Duration, withoutThreads: Bool = false) async -> String? {
        let answer = await BoundedWait.answer(within: patience) { [server, workers, loops] in
            let probe = server.probe
            let request = Request(method: "GET", target: probe.target, source: .user(UInt32.max))
            for loop in loops.makeIterator() {
                let status = try await withTaskExecutorPreference(EventLoopExecutor(loop)) {
                    let routed = server.route(request)
                    if withoutThreads { return server.status(of: routed) }
                    return try await workers.run(routed.requestClass) { server.status(of: routed) }
                }
                guard status == probe.status else { return "status \(status)" }
            }
            return "ok"
        }
        return Self.fault(answer)
    }

    private func fault(_ patience: Duration, _ body: @escaping @Sendable () throws -> Void) async -> String? {
        let workers = workers
        return Self.fault(await BoundedWait.answer(within: patience) { await Self.outcome(workers, of: body) })
    }

    private static func fault(_ answer: String?) -> String? { answer == "ok" ? nil : answer ?? "no answer" }

    /// Does work on a thread that may block.
    ///
    /// - Returns: `ok`, or why it has failed.
    private static func outcome(
        _ workers: WorkerPools, of work: @escaping @Sendable () throws -> Void
    ) async -> String {
        do {
            try await workers.run(.reading, work)
            return "ok"
        } catch { return (error as? ServerError)?.message ?? "failed" }
    }
}

/// Which parts of a server respond.
struct HealthReport: Sendable {
    enum Part: String, Sendable {
        /// The socket to which clients connect.
        case listener
        /// A request, on each event loop.
        case requests
        /// Reading the database, and a durable write.
        case database
        /// Whether this server is in order among those that share its database.
        case node
        /// Whether logins were accepted with times that are far ahead of the clock. Logins work nevertheless.
        case clock
        /// The master share of an authority, which the server's key opens.
        case authority1, authority2
    }

    /// Each part, and why it does not respond; nil if it does.
    let parts: [(part: Part, fault: String?)]

    /// Whether everything works that clients need.
    var isGood: Bool { parts.allSatisfy { $0.fault == nil || $0.part == .clock } }

    /// The parts with a fault, for a log.
    var text: String {
        parts.compactMap { entry in entry.fault.map { "\(entry.part.rawValue) (\($0))" } }.joined(separator: ", ")
    }

    /// One line of JSON.
    var json: String {
        let members = parts.map { "\"\($0.part.rawValue)\":\(JSONLine.quoted($0.fault ?? "ok"))" }
        return "{\"ok\":\(isGood)," + members.joined(separator: ",") + "}\n"
    }
}

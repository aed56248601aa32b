// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage

/// The state of a server at a glance. Opens no key and changes nothing.
package struct ServerStatus {
    package enum Health: Equatable {
        case good
        case faulty(String)
        /// The server has no status socket.
        case unknown
    }

    /// The process that serves the directory; nil if none does.
    package let process: Int32?
    /// Nil if no server runs.
    package let health: Health?
    /// The newest start of the server; nil if it never was started.
    package let start: AuditLine?
    package let publicURL: String?
    /// Days until the certificate of the running server expires, below 0 afterwards; nil without TLS.
    package let certificateDays: Int?
    /// Whether the server's own key signs its certificate.
    package let isSelfSigned: Bool
    /// Whether the running server has opened its port for metrics; nil if it has none.
    package let hasMetricsPort: Bool?
    package let fingerprint: String?
    package let users: [UserRecord]
    /// The servers on a shared database, of which this may be one.
    package let nodes: [Node]
    /// Nil for an SQLite database.
    package let database: DatabaseCheck?
    package let lastBackup: Timestamp?
    /// Nil unless logins were accepted with times that are far ahead of the clock.
    package let clockFault: String?

    package init(of directory: ServerDirectory, configuration file: String? = nil) throws(ServerError) {
        try directory.check(demandsKey: false)
        let configuration = try directory.readConfiguration(file: file)
        let store = try directory.storage(.reading)
        process = Self.process(of: directory)
        health = process.map { _ in Self.health(directory) }
        let metrics = process.flatMap { _ in StatusConnection.get("/metrics", of: directory) } ?? ""
        certificateDays = Self.certificateDays(metrics)
        isSelfSigned = configuration.selfSigned
        hasMetricsPort = Self.value("mpin_metrics_port_open", metrics).map { $0 == 1 }
        nodes = try store.nodes()
        database = try store.checkDatabase()
        // Several nodes share the log.
        start = database == nil ? try store.lastEvent(.started) : nil
        lastBackup = try store.lastEvent(.backedUp)?.time
        clockFault = ClockFault.text(try store.latestTimes(areInForce: true), at: ServerClock.system.now)
        publicURL = PublicURL.reachable(configuration.roles.publicURL, try store.identity().publicURL)
        users = try store.users(
            named: nil, limits: configuration.roles.attemptLimits, now: ServerClock.system.now.seconds)
        fingerprint = try? directory.fingerprint()
    }

    /// The process that serves a directory; nil if the server does not run. It is known even if the settings are wrong.
    package static func process(of directory: ServerDirectory) -> Int32? { ServerLock.server(of: directory) }

    /// What differs between the nodes that run, as sentences.
    package var nodeWarnings: [String] {
        let running = nodes.filter(\.isRunning)
        var warnings: [String] = []
        if Set(running.map(\.settings)).count > 1 {
            let list = running.map { "\($0.name): \($0.settings)" }.joined(separator: "; ")
            warnings.append("The nodes have different settings. \(list).")
        }
        if Set(running.map(\.version)).count > 1 {
            let list = running.map { "\($0.name): \($0.version)" }.joined(separator: ", ")
            warnings.append("The nodes have different versions. \(list).")
        }
        for node in running where node.clockError.magnitude > NodeClock.tolerance {
            warnings.append("The clock of \(node.name) differs from the database's by \(node.clockText).")
        }
        return warnings
    }

    /// The start of the fingerprint, which people can read.
    package var shortFingerprint: String? { fingerprint.flatMap { KeyFingerprint($0)?.short } }

    /// The devices that can log in, and those that are blocked after wrong PINs.
    package var devices: (usable: Int, blocked: Int) {
        let states = users.flatMap { $0.devices.map(\.state) }
        return (states.count { $0 == .registered }, states.count { $0 == .blocked })
    }

    private static func health(_ directory: ServerDirectory) -> Health {
        guard ServerLock.statusSocket(of: directory) != nil else { return .unknown }
        guard let report = StatusConnection.health(of: directory) else {
            return .faulty("no answer on the status socket")
        }
        let faults = report.compactMap { part, value in
            (value as? String).flatMap { $0 == "ok" ? nil : "\(part): \($0)" }
        }
        return report["ok"] as? Bool == true ? .good : .faulty(faults.sorted().joined(separator: "; "))
    }

    private static func certificateDays(_ metrics: String) -> Int? {
        let end = value("mpin_certificate_expiry_timestamp_seconds", metrics)
        let days = end.map { ($0 - Double(ServerClock.system.now.seconds)) / 86_400 }
        return days.flatMap { Int(exactly: $0.rounded(.down)) }
    }

    /// The value of a metric without labels.
    private static func value(_ name: String, _ metrics: String) -> Double? {
        let line = metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }
}

extension Node {
    /// `+0.1 s`
    package var clockText: String {
        let tenths = clockError.magnitude / 100
        return "\(clockError <= -100 ? "-" : "+")\(tenths / 10).\(tenths % 10) s"
    }
}

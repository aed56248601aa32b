// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import MPinServerRoles
package import MPinServerStorage
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import SystemFiles
internal import UnixSignals

/// A listening server, which `mpin-server serve` runs.
package struct ListeningServer: Sendable {
    package static var version: String { ServerVersion.current }

    private let directory: ServerDirectory
    private let configurationFile: String?
    private let server: any RequestServer
    private let lock: ServerLock
    /// Nil unless other servers may use the database.
    private let node: NodeWatch?
    private let settings: ListenSettings
    private let configuration: ServerConfiguration
    /// The path of the status socket; nil for none.
    private let status: String?
    private let log: LogOutput
    private let logger: Logger
    /// The service manager that started this process; nil if there is none to notify.
    private let manager = ServiceManager()

    /// Opens a directory for serving. Nothing listens yet.
    ///
    /// - Parameters:
    ///   - file: a configuration file that replaces the directory's own.
    ///   - isAuthority: whether to serve only a second authority.
    ///   - listen: the addresses to listen on; if there is none, those of the configuration.
    ///   - tls: nil for the files of the configuration.
    ///   - status: the status socket; nil for the configured one.
    package init(
        _ directory: ServerDirectory, asAuthority isAuthority: Bool = false, configuration file: String? = nil,
        listen: [ListenAddress], tls: TLSFiles?, status: ListenAddress? = nil
    ) throws(ServerError) {
        // A SIGHUP that arrives before its handler is installed must not end the server.
        _ = signal(SIGHUP, SIG_IGN)
        log = LogOutput()
        logger = log.logger()
        try directory.check()
        lock = try ServerLock(directory)
        configuration = try directory.readConfiguration(file: file)
        log.adopt(configuration.logFormat)
        settings = try ListenSettings(
            listen, tls, configuration, isInstalled: directory.path == ServerDirectory.installed)
        self.status = try Self.path(of: status) ?? configuration.statusSocket
        if let path = self.status, settings.addresses.contains(.unix(path: path)) {
            throw ServerError(
                .usage, "--listen and --status must name different sockets", hint: "Give --status another path.")
        }
        lock.announce(statusSocket: self.status)
        if let name = directory.unshownRecoveryKey {
            logger.warning(
                "the recovery key \(name) of this server has not been shown: the command that made it was interrupted",
                metadata: ["hint": "stop the server, then show the key: mpin-server reseal --dir \(directory.path)"])
        }
        if isAuthority {
            server = try AuthorityServer(directory, settings: configuration, logger: logger)
        } else {
            server = try LoginServer(directory, settings: configuration, logger: logger)
        }
        if case .ownKey = settings.tls, server.role != .combined {
            throw ServerError(
                .configuration,
                "tls_self_signed needs both authorities on this host: clients could not verify the other",
                hint: "Set tls_cert and tls_key instead.")
        }
        node = try NodeWatch(server)
        self.directory = directory
        configurationFile = file
    }

    /// Reports to the service manager why the server ends. `status` and `setup` show what systemd keeps of it.
    package static func report(failure error: any Error) {
        let reason = (error as? ServerError)?.message ?? "\(error)"
        ServiceManager()?.tell(status: reason.split(separator: "\n").joined(separator: " "))
    }

    private static func path(of status: ListenAddress?) throws(ServerError) -> String? {
        switch status {
        case nil: return nil
        case .unix(let path): return path
        case .tcp:
            throw ServerError(.usage, "the status socket must be a unix socket", hint: "Write --status unix:PATH.")
        }
    }

    /// Listens until SIGTERM or SIGINT.
    ///
    /// - Parameter ready: called when the server is ready, with the addresses and chosen ports that accept connections.
    package func run(ready: @escaping @Sendable ([ListenAddress]) -> Void) async throws {
        if settings.tls == nil,
            let advice = ProxyAdvice(server.publicURL, proxies: configuration.proxies, addresses: settings.addresses)
        {
            logger.warning("\(advice.text)")
        }
        let workers = WorkerPools(isShared: node != nil)
        let certificates = settings.tls.map { TLSCertificates($0, signedBy: server.signingKey) }
        let (whenReady, readiness) = AsyncStream<Never>.makeStream()
        let states = settings.addresses.map { ListenerState($0) }
        let summary: @Sendable () -> String = { Self.summary(of: states) }
        let listeners = listeners(workers, certificates, states) { listeners in
            self.announce(listeners)
            manager?.ready(summary())
            ready(listeners.map(\.address))
            readiness.finish()
        }
        let upkeep = Task { await keepUp(workers, certificates) }
        let watch = node.map { node in Task { await Self.renew(node, workers) } }
        let reload = ReloadService(
            directory: directory, configuration: configurationFile, server: server,
            signals: await UnixSignalsSequence(trapping: .sighup), log: log, manager: manager, summary: summary,
            reloadCertificates: { () throws(ServerError) in try certificates?.reload() ?? false }, logger: logger)
        defer { listeners.forEach { $0.clear() } }
        do {
            // The last service ends first.
            var services: [any Service] = [reload] + listeners
            let health = HealthCheck(
                server: server, workers: workers, loops: MultiThreadedEventLoopGroup.singleton,
                listeners: states, node: node)
            let metricsPort = configuration.metricsAddress.map { ListenerState($0) }
            let metrics = MetricsReport(
                server: server, workers: workers, health: health, connections: listeners.map(\.connections),
                port: metricsPort, certificateEnd: { certificates?.end })
            if let status {
                let address = ListenAddress.unix(path: status)
                let responder = StatusResponder(
                    health: health.all, metrics: metrics.text, backups: BackupSource(server: server, workers: workers))
                let service = StatusService(
                    address: address, responder: responder,
                    accepts: { [.user(0), .user(geteuid())].contains($0) }, whenReady: whenReady,
                    state: ListenerState(address), logger: logger)
                services.insert(service, at: 0)
            }
            if let address = configuration.metricsAddress, let metricsPort {
                let responder = StatusResponder(
                    health: SharedReport(every: .seconds(1), health.all).report,
                    metrics: SharedReport(every: .seconds(1), metrics.text).report, backups: nil)
                services.append(
                    StatusService(
                        address: address, responder: responder, accepts: { _ in true }, whenReady: whenReady,
                        state: metricsPort, logger: logger))
            }
            if let manager { services.append(SupervisionService(manager: manager, health: health, logger: logger)) }
            var group = ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            // The longest time by which a client that stalls in the middle of a request delays the stop.
            group.maximumGracefulShutdownDuration = .seconds(3)
            try await ServiceGroup(configuration: group).run()
        } catch {
            upkeep.cancel()
            watch?.cancel()
            throw error
        }
        upkeep.cancel()
        watch?.cancel()
        // Events that could not be written wait again afterwards.
        await upkeep.value
        await watch?.value
        server.note(.stopped(version: Self.version), actor: actor)
        server.finish()
        node?.end()
        try await workers.shutDown()
    }

    /// Prepares all addresses.
    ///
    /// - Parameter ready: called when the server is ready.
    private func listeners(
        _ workers: WorkerPools, _ certificates: TLSCertificates?, _ states: [ListenerState],
        _ ready: @escaping @Sendable ([ReadyListener]) -> Void
    ) -> [Listener] {
        let site = Listener.Site(
            server: server, workers: workers, certificates: certificates, proxies: configuration.proxies,
            logger: logger)
        let count = settings.addresses.count
        let limit = Connections.limit(files: Self.raiseFileLimit() / count, wanted: configuration.maxConnections)
        let all = ReadyListeners(settings.addresses)
        return settings.addresses.enumerated().map { number, address in
            Listener(
                address, states[number], at: site, limit: limit, perSource: configuration.connectionsPerSource,
                ready: { [logger, manager] listener in
                    switch all.opened(listener, number) {
                    case .ready(let listeners): ready(listeners)
                    case .late:
                        logger.notice("now listening on \(listener.address.text)")
                        manager?.tell(status: Self.summary(of: states))
                    case .none, .useless: break
                    }
                },
                failed: { [logger] fault in
                    let outcome = all.failed(number)
                    if case .useless = outcome { throw fault }
                    let seconds = PersistentListening.interval / .seconds(1)
                    logger.error(
                        "\(fault.message); the server tries again every \(Int(seconds)) seconds",
                        metadata: fault.hint.isEmpty ? [:] : ["hint": "\(fault.logHint)"])
                    if case .ready(let listeners) = outcome { ready(listeners) }
                })
        }
    }

    /// The state of all addresses in one line.
    private static func summary(of listeners: [ListenerState]) -> String {
        let open = listeners.filter { $0.fault == nil }.map(\.text).joined(separator: ", ")
        return (["ready on \(open)"] + listeners.compactMap(\.fault)).joined(separator: "; ")
    }

    private func announce(_ listeners: [ReadyListener]) {
        let text = listeners.map(\.address.text).joined(separator: ", ")
        server.note(.started(version: Self.version, address: text), actor: actor)
        // `mpin-server status` shows the time of this event.
        server.flush()
        for case .unix(let path) in listeners.filter(\.isClosedToUsers).map(\.address) {
            logger.notice(
                """
                only root and the server's group can connect to \(path): before Linux 6.16, the kernel lets \
                clients pass file descriptors to the server. Other users' programs must use mpin-agent
                """)
        }
        if geteuid() == 0 {
            let own = directory.path == ServerDirectory.installed ? "mpin-server setup" : "chown -R ACCOUNT: DIR"
            logger.notice(
                "the server runs as root, which is not necessary. Run it under an account of its own: sudo \(own)")
        }
    }

    /// The account of the server, for the audit log. Nodes of a shared database add their name.
    private var actor: String {
        let account = FileFacts.account(geteuid()) ?? "uid \(geteuid())"
        return node == nil ? account : "\(account) on \(directory.nodeName)"
    }

    /// Writes the audit log several times per second, and deletes expired rows.
    private func keepUp(_ workers: WorkerPools, _ certificates: TLSCertificates?) async {
        var nextPurge = ContinuousClock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(200))
            try? await workers.keepUp { [server] in server.flush() }
            guard ContinuousClock.now >= nextPurge else { continue }
            nextPurge = .now + .seconds(600)
            try? await workers.keepUp { [server, logger] in
                server.maintain()
                do { try certificates?.renew() } catch { logger.error("cannot renew the certificate: \(error)") }
            }
        }
    }

    private static func renew(_ node: NodeWatch, _ workers: WorkerPools) async {
        while true {
            do { try await Task.sleep(for: NodeWatch.interval) } catch { return }
            try? await workers.watch { node.renew() }
        }
    }

    /// Raises this process's limit of open files to the system's maximum.
    ///
    /// - Returns: the limit.
    private static func raiseFileLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        let usual = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int(usual) }
        return Int(limit.rlim_cur)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
package import MPinServerStorage
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import UnixSignals

/// A listening server, which `mpin-server serve` runs.
package struct ListeningServer: Sendable {
    /// The version of the server.
    package static var version: String { ServerVersion.current }

    private let directory: ServerDirectory
    private let configurationFile: String?
    private let server: any RequestServer
    private let lock: ServerLock
    private let listen: ListenAddress
    private let tls: TLSFiles?
    private let configuration: ServerConfiguration
    /// The path of the status socket; nil for none.
    private let status: String?
    private let log: LogOutput
    private let logger: Logger
    private let listener = ListenerState()
    /// The service manager that started this process; nil if there is none to notify.
    private let manager = ServiceManager()

    /// Opens a directory for serving. Nothing listens yet.
    ///
    /// - Parameters:
    ///   - file: a configuration file that replaces the directory's own.
    ///   - isAuthority: whether to serve only a second authority.
    ///   - tls: nil for clear text, which is only for local addresses.
    ///   - status: the status socket; nil for the configured one.
    package init(
        _ directory: ServerDirectory, asAuthority isAuthority: Bool = false, configuration file: String? = nil,
        listen: ListenAddress, tls: TLSFiles?, status: ListenAddress? = nil
    ) throws(ServerError) {
        guard listen.isLocal || tls != nil else {
            throw ServerError(
                .configuration, "\(listen.text) is not a loopback address, so it requires TLS",
                hint: "Give --tls-cert and --tls-key, or listen on unix:PATH or a loopback port behind a TLS proxy.")
        }
        // A SIGHUP that arrives before its handler is installed must not end the server.
        _ = signal(SIGHUP, SIG_IGN)
        if case .unix = listen, tls != nil { throw ServerError(.usage, "--tls-cert and --tls-key require a TCP port") }
        log = LogOutput()
        logger = log.logger()
        try directory.check()
        lock = try ServerLock(directory)
        configuration = try directory.readConfiguration(file: file)
        log.adopt(configuration.logFormat, configuration.logLevel)
        self.status = try Self.path(of: status) ?? configuration.statusSocket
        guard self.status == nil || .unix(path: self.status ?? "") != listen else {
            throw ServerError(
                .usage, "--listen and --status must name different sockets", hint: "Give --status another path.")
        }
        lock.announce(statusSocket: self.status)
        if let name = directory.unshownRecoveryKey {
            logger.warning(
                "the recovery key \(name) of this server has not been shown: the command that made it was interrupted",
                metadata: [
                    "hint": "stop the server, then show the key: mpin-server reseal --dir \(directory.path)"
                ])
        }
        if isAuthority {
            server = try AuthorityServer(directory, settings: configuration, logger: logger)
        } else {
            server = try LoginServer(directory, settings: configuration, isTLS: tls != nil, logger: logger)
        }
        self.directory = directory
        configurationFile = file
        self.listen = listen
        self.tls = tls
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
    /// - Parameter ready: called with the address and the chosen port when connections are accepted.
    package func run(ready: @escaping @Sendable (ListenAddress) -> Void) async throws {
        let isSocket = if case .unix = listen { true } else { false }
        let connections = Connections(
            limit: Connections.limit(files: Self.raiseFileLimit(), wanted: configuration.maxConnections),
            perSource: configuration.connectionsPerSource, isForRoot: isSocket, proxies: configuration.proxies,
            clock: .system, logger: logger)
        if tls == nil, let advice = ProxyAdvice(server.publicURL, proxies: configuration.proxies, listen: listen) {
            logger.warning("\(advice.text)")
        }
        let address: BindAddress
        var socket: SocketFile?
        switch listen {
        case .unix(let path):
            address = .unixDomainSocket(path: path)
            let file = SocketFile(path: path)
            try file.makeRoom()
            socket = file
        case .tcp(let host, let port): address = .hostname(host, port: port)
        }
        let workers = WorkerPools()
        let certificates = try tls.map { files throws(ServerError) in try TLSCertificates(files) }
        let builder = HTTPServerBuilder { responder in
            let base = HTTP1Channel(
                responder: responder,
                configuration: .limited([ContinueHandler(), WipingHandler()]))
            let counted = CountedChannel(base: base, connections: connections)
            if let certificates { return TLSChannel(base: counted, certificates: certificates) }
            return counted
        }
        let upkeep = Task { await keepUp(workers) }
        let application = Hummingbird.Application(
            responder: RouteResponder(
                server: server, workers: workers, proxies: configuration.proxies, isTLS: tls != nil),
            server: builder,
            configuration: ApplicationConfiguration(address: address, serverName: "mpin-server", backlog: 1_024),
            onServerRunning: { [socket] channel in
                // Before other users may connect.
                let mode = await PassedDescriptors.refuse(channel) ? SocketFile.forAll : SocketFile.forGroup
                try? await channel.pipeline.addHandler(ShortageHandler(connections), position: .first)
                announce(channel, socket: socket, mode: mode, ready: ready)
            },
            logger: logger)
        let reload = ReloadService(
            directory: directory, configuration: configurationFile, server: server,
            signals: await UnixSignalsSequence(trapping: .sighup), log: log, manager: manager,
            reloadCertificates: { () throws(ServerError) in
                try certificates?.reload()
                return certificates != nil
            }, logger: logger)
        do {
            // The last service ends first.
            var services: [any Service] = [reload, application]
            let health = HealthCheck(
                server: server, workers: workers, loops: MultiThreadedEventLoopGroup.singleton, listener: listener)
            if let status {
                let metrics = MetricsReport(
                    server: server, workers: workers, connections: connections,
                    certificateEnd: { certificates?.end })
                let responder = StatusResponder(
                    health: health, metrics: metrics, backups: BackupSource(server: server, workers: workers))
                services.insert(StatusService(path: status, responder: responder, logger: logger), at: 0)
            }
            if let manager {
                services.append(SupervisionService(manager: manager, health: health, logger: logger))
            }
            var group = ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            // The longest time by which a client that stalls in the middle of a request delays the stop.
            group.maximumGracefulShutdownDuration = .seconds(3)
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError {
            upkeep.cancel()
            throw listen.fault(error.errnoCode)
        }
        upkeep.cancel()
        // Events that could not be written wait again afterwards.
        await upkeep.value
        server.note(.stopped(version: Self.version), actor: Self.actor)
        server.finish()
        socket?.remove()
        try await workers.shutDown()
    }

    private func announce(
        _ channel: any Channel, socket: SocketFile?, mode: UInt32, ready: @Sendable (ListenAddress) -> Void
    ) {
        do throws(ServerError) {
            try socket?.open(mode: mode)
        } catch {
            logger.critical("\(error.message)")
            return
        }
        let address =
            switch listen {
            case .unix: listen
            case .tcp(let host, let port): ListenAddress.tcp(host: host, port: channel.localAddress?.port ?? port)
            }
        server.note(.started(version: Self.version, address: address.text), actor: Self.actor)
        if let socket, mode == SocketFile.forGroup {
            logger.notice(
                """
                only root and the server's group can connect to \(socket.path): before Linux 6.16, the kernel lets \
                clients pass file descriptors to the server. Other users' programs must use mpin-agent
                """)
        }
        if geteuid() == 0 {
            let own = directory.path == ServerDirectory.installed ? "mpin-server setup" : "chown -R ACCOUNT: DIR"
            logger.notice(
                "the server runs as root, which is not necessary. Run it under an account of its own: sudo \(own)")
        }
        listener.begin(channel, socket)
        manager?.ready("ready on \(address.text)")
        ready(address)
    }

    /// The account of the server, for the audit log.
    private static var actor: String { "uid \(geteuid())" }

    /// Writes the audit log several times per second, and deletes expired rows.
    private func keepUp(_ workers: WorkerPools) async {
        var nextPurge = ContinuousClock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(200))
            try? await workers.keepUp { [server] in server.flush() }
            guard ContinuousClock.now >= nextPurge else { continue }
            nextPurge = .now + .seconds(600)
            try? await workers.keepUp { [server] in server.clearAway() }
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

internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import UnixSignals

/// A server that listens: what `mpin-server serve` runs.
public struct LoginService: Sendable {
    /// The version of the server.
    public static var version: String { "0.1.0" }

    private let directory: ServerDirectory
    private let server: LoginServer
    private let lock: ServerLock
    private let listen: ListenAddress
    private let tls: TLSFiles?
    private let configuration: Configuration
    private let logger: Logger

    /// Opens a directory for serving; nothing listens yet.
    ///
    /// - Parameters:
    ///   - file: a configuration file in place of the directory's own.
    ///   - tls: nil: clear text, for local addresses alone.
    public init(
        _ directory: ServerDirectory, configuration file: String? = nil, listen: ListenAddress, tls: TLSFiles?
    ) throws(ServerFault) {
        if tls != nil, !TLSFiles.isAvailable { _ = try tls?.wrap(.http1()) }
        guard listen.isLocal || tls != nil else {
            throw ServerFault(
                .configuration, "refusing to speak clear text on \(listen.text)",
                hint: "Give --tls-cert and --tls-key, or listen on unix:PATH or a loopback port behind a TLS proxy.")
        }
        if case .unix = listen, tls != nil { throw ServerFault(.usage, "a unix socket needs no TLS") }
        var logger = Logger(label: "mpin-server") { StreamLogHandler.standardError(label: $0) }
        // More than this could show the M-Pin IDs that stand in paths.
        logger.logLevel = .notice
        try directory.check()
        lock = try ServerLock(directory.lock)
        configuration = try directory.readConfiguration(file: file)
        server = try LoginServer(directory, configuration: file, isTLS: tls != nil, logger: logger)
        self.directory = directory
        self.listen = listen
        self.tls = tls
        self.logger = logger
    }

    /// Listens until SIGTERM or SIGINT.
    ///
    /// - Parameter ready: called once connections are accepted, with the address and the port that was chosen.
    public func run(ready: @escaping @Sendable (ListenAddress) -> Void) async throws {
        Self.raiseFileLimit()
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
        let threads = NIOThreadPool(numberOfThreads: max(8, 2 * System.coreCount))
        threads.start()
        let plain = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [ContinueHandler()], idleTimeout: .seconds(20),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100)))
        let flusher = Task { await flushNowAndThen() }
        let application = Hummingbird.Application(
            responder: Adapter(server: server, threads: threads, trustsProxy: configuration.trustsProxy),
            server: try tls?.wrap(plain) ?? plain,
            configuration: ApplicationConfiguration(address: address, serverName: "mpin-server", backlog: 1_024),
            onServerRunning: { [socket] channel in announce(channel, socket: socket, ready: ready) },
            logger: logger)
        do {
            var group = ServiceGroupConfiguration(
                services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            // Whoever stalls in the middle of a request does not hold the server up for longer.
            group.maximumGracefulShutdownDuration = .seconds(3)
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError {
            flusher.cancel()
            throw ServerFault(
                error.errnoCode == EACCES ? .notPermitted : .unavailable,
                "cannot listen on \(listen.text): \(unsafe String(cString: strerror(error.errnoCode)))")
        }
        flusher.cancel()
        server.flush()
        socket?.remove()
        try await threads.shutdownGracefully()
    }

    private func announce(
        _ channel: any Channel, socket: SocketFile?, ready: @Sendable (ListenAddress) -> Void
    ) {
        do throws(ServerFault) {
            try socket?.open()
        } catch {
            logger.critical("\(error.message)")
            return
        }
        switch listen {
        case .unix: ready(listen)
        case .tcp(let host, let port): ready(.tcp(host: host, port: channel.localAddress?.port ?? port))
        }
    }

    /// Keeps the audit log no more than a moment behind.
    private func flushNowAndThen() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(200))
            server.flush()
        }
    }

    /// As many connections as the system lets this process have.
    private static func raiseFileLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

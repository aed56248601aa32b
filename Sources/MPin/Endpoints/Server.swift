internal import MPinWire

/// A server: its address, the connection to it and what it says about itself.
///
/// A class, because a started login and the client share the same settings when either of them reads them again.
final class Server {
    let backend: Backend
    let transport: HTTPTransport
    private let rpsPrefix: ByteText
    private(set) var settings: ClientSettings

    /// The server's day for which the settings hold; `nil` before it is known.
    private(set) var settingsDay: Int?

    /// Where the settings come from.
    private enum Origin {
        /// The server, during this call.
        case server
        /// An earlier call, or another process.
        case cache
        /// The cache, after a login with it has failed without a verdict.
        case doubtful
    }

    private var origin: Origin
    /// The connection to a second authority that is called elsewhere than the server.
    private var authority: HTTPTransport?
    /// Until when settings that were read are taken for those of the server's day.
    private var recent: Deadline

    /// A server by settings that an earlier login left.
    init(
        _ backend: Backend, _ transport: HTTPTransport, _ rpsPrefix: ByteText, cached settings: ClientSettings,
        day: Int?
    ) {
        (self.backend, self.transport, self.rpsPrefix) = (backend, transport, rpsPrefix)
        (self.settings, settingsDay, origin) = (settings, day, .cache)
        recent = Deadline(millisecondsFromNow: 0)
    }

    /// Asks a server for its settings.
    init(
        _ backend: Backend, _ transport: HTTPTransport, _ rpsPrefix: ByteText, until deadline: Deadline
    ) throws(MPinError) {
        (self.backend, self.transport, self.rpsPrefix) = (backend, transport, rpsPrefix)
        settings = try transport.clientSettings(of: backend, rpsPrefix, until: deadline)
        origin = .server
        recent = Server.anHour
    }

    /// The same server by another connection.
    func with(_ transport: HTTPTransport) -> Server {
        Server(backend, transport, rpsPrefix, cached: settings, day: settingsDay)
    }

    /// Whether the settings were read during this call.
    var hasFreshSettings: Bool { origin == .server }

    /// Marks the beginning of another call: settings that were read before count as cached.
    func beginCall() {
        if origin == .server { origin = .cache }
    }

    /// Marks settings as doubtful after a login without a verdict, once the PIN was sent. It cannot be repeated, but
    /// the next one reads the settings first.
    ///
    /// - Returns: whether the settings may be to blame.
    func doubtSettings(after error: MPinError) -> Bool {
        guard origin != .server, error.mayComeOfOldSettings else { return false }
        origin = .doubtful
        return true
    }

    /// Makes sure that the settings are those of the server's day: settings of the last hour are, others are read
    /// again.
    func update(for day: Int, until deadline: Deadline) throws(MPinError) {
        guard settingsDay != day else { return }
        if settingsDay != nil || recent.hasPassed { try readSettings(until: deadline) }
        settingsDay = day
    }

    /// Whether a user was registered at a server of another name.
    func isOther(than user: User) -> Bool { isServer(of: user) == false }

    /// Whether it is the server that a user was registered at; `nil` if one of them has no name.
    @inline(never)
    func isServer(of user: User) -> Bool? {
        guard let expected = user.record.serverID, let named = settings.serverID else { return nil }
        return named.lowercased.digits == expected
    }

    /// Reads the settings once more, if they are older than this call and the server gives them.
    ///
    /// - Returns: whether these are those of now.
    @inline(never)
    func readAgain(until deadline: Deadline) -> Bool {
        guard origin != .server else { return true }
        do throws(MPinError) { try readSettings(until: deadline) } catch { return false }
        return true
    }

    /// Reads the settings, if they are older than this call.
    func refresh(until deadline: Deadline) throws(MPinError) {
        if origin != .server { try readSettings(until: deadline) }
    }

    /// Reads the settings once more, if they are older than this call and may be why it failed.
    ///
    /// - Throws: the failure itself, if there is nothing more to try.
    private func readSettings(after error: MPinError, until deadline: Deadline) throws(MPinError) {
        guard origin != .server, error.mayComeOfOldSettings, !deadline.hasPassed else { throw error }
        let failure = error
        do throws(MPinError) { try readSettings(until: deadline) } catch { throw failure }
    }

    private func readSettings(until deadline: Deadline) throws(MPinError) {
        settings = try transport.clientSettings(of: backend, rpsPrefix, until: deadline)
        (settingsDay, origin) = (nil, .server)
        recent = Server.anHour
    }

    private static var anHour: Deadline { Deadline(millisecondsFromNow: 3_600_000) }

    /// The URL to call for one of the settings, with something appended to its path.
    ///
    /// - Throws: RESPONSE_PARSE_ERROR when the settings have none that may be called.
    @inline(never)
    func url(_ setting: MemberName, _ rest: ByteText = ByteText()) throws(MPinError) -> ByteText {
        guard let text = settings.text(setting), let url = place(of: setting).resolve(text) else {
            throw MPinError(.responseParseError, "The server's settings lack a usable address.")
        }
        // That of the second authority may or may not end in a slash.
        return setting == .certivoxURL && url.bytes.last != UInt8(ascii: "/") ? url + "/" + rest : url + rest
    }

    /// Makes a request by which no PIN can be judged, and decodes its answer. If that fails by settings from before
    /// this call, they are read once more and it is tried again, unless a PIN may have been judged in this login
    /// before.
    func request<Answer>(
        _ endpoint: Endpoint, _ setting: MemberName, _ rest: ByteText = ByteText(), body: [UInt8]? = nil,
        until deadline: Deadline, mayRepeat: Bool = true, _ decode: (Span<UInt8>) throws(WireError) -> Answer
    ) throws(MPinError) -> Answer {
        try readDoubtfulSettings(until: deadline)
        var mayRepeat = mayRepeat
        while true {
            do throws(MPinError) {
                return try connection(for: setting).request(
                    endpoint, url(setting, rest), body: body, until: deadline, decode)
            } catch {
                guard mayRepeat else { throw error }
                mayRepeat = false
                try prepareRepeat(of: endpoint, to: setting, after: error, until: deadline)
            }
        }
    }

    /// The connection for a request to one of the settings.
    @inline(never)
    private func connection(for setting: MemberName) throws(MPinError) -> HTTPTransport {
        let place = place(of: setting)
        guard case .socket = backend.route, case .https = place.route else { return transport }
        if let authority { return authority }
        let made = try HTTPTransport(backend: place, options: transport.options)
        authority = made
        return made
    }

    @inline(never)
    func readDoubtfulSettings(until deadline: Deadline) throws(MPinError) {
        if origin == .doubtful { try readSettings(until: deadline) }
    }

    /// Reads the settings again where outdated ones may have caused a failure, and throws the failure otherwise.
    @inline(never)
    private func prepareRepeat(
        of endpoint: Endpoint, to setting: MemberName, after error: MPinError, until deadline: Deadline
    ) throws(MPinError) {
        let before = settings.text(setting)
        try readSettings(after: error, until: deadline)
        // A registration, and a first share, may have been given although the answer was lost: not twice at one place.
        if endpoint == .register || endpoint == .signature, settings.text(setting) == before { throw error }
    }
}

extension MPinError {
    /// Whether settings that hold no more may be the reason: not when the server has judged what was asked, and not
    /// when it wants to be left alone.
    fileprivate var mayComeOfOldSettings: Bool {
        guard !isLocal else { return false }
        return switch code {
        case .networkError, .responseParseError, .httpServerError, .httpRequestError, .badUserAgent: httpStatus != 429
        default: false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// A server with its settings: the addresses for the requests of 2016, of an enrollment, and of sign-in requests.
///
/// It is a class because a started login and the client share the settings, whichever of them reads them again.
final class Server {
    let backend: Backend
    let transport: HTTPTransport
    let rpsPrefix: ByteText
    private(set) var settings: ClientSettings

    /// The server's day to which the settings apply; `nil` until it is known.
    private(set) var settingsDay: Int?

    private enum Origin {
        /// The server, during this call.
        case server
        /// An earlier call, or another process.
        case cache
        /// The cache, after a login with these settings has failed without a verdict.
        case doubtful
    }

    private var origin: Origin

    /// Whether only the paths of the settings count, at this server's own address. The second authority is the
    /// exception. Requests for a registration with a device key stay at this address.
    private let staysAtAddress: Bool

    /// The error for a refused request whose answer has no proof.
    func refusal(_ error: MPinError) -> MPinError { staysAtAddress ? error.withoutProof() : error }

    /// The connection to a second authority that has another address than the server.
    private var authority: HTTPTransport?
    /// How long the settings count as those of the server's day after they were read.
    private var recent: Deadline

    /// Makes a server with cached settings of an earlier login.
    init(
        _ backend: Backend, _ transport: HTTPTransport, _ rpsPrefix: ByteText, cached settings: ClientSettings,
        day: Int?, staysAtAddress: Bool = false
    ) {
        (self.backend, self.transport, self.rpsPrefix) = (backend, transport, rpsPrefix)
        (self.settings, settingsDay, origin) = (settings, day, .cache)
        self.staysAtAddress = staysAtAddress
        recent = Deadline(millisecondsFromNow: 0)
    }

    init(
        _ backend: Backend, _ transport: HTTPTransport, _ rpsPrefix: ByteText, staysAtAddress: Bool = false,
        until deadline: Deadline
    ) throws(MPinError) {
        (self.backend, self.transport, self.rpsPrefix) = (backend, transport, rpsPrefix)
        self.staysAtAddress = staysAtAddress
        do throws(MPinError) {
            settings = try transport.clientSettings(of: backend, rpsPrefix, until: deadline)
        } catch { throw staysAtAddress ? error.withoutProof() : error }
        origin = .server
        recent = Server.anHour
    }

    /// Returns a copy of this server with another connection.
    func with(_ transport: HTTPTransport) -> Server {
        Server(
            backend, transport, rpsPrefix, cached: settings, day: settingsDay, staysAtAddress: staysAtAddress)
    }

    /// Whether the settings were read during this call.
    var hasFreshSettings: Bool { origin == .server }

    /// Marks the beginning of another call: settings read earlier now count as cached.
    func beginCall() { if origin == .server { origin = .cache } }

    /// Marks settings as doubtful after a login without a verdict, once the PIN was sent. That login cannot be
    /// repeated, but the next one reads the settings first.
    ///
    /// - Returns: whether the settings may be the cause.
    func doubtSettings(after error: MPinError) -> Bool {
        guard origin != .server, error.mayComeOfOldSettings else { return false }
        origin = .doubtful
        return true
    }

    /// Makes sure that the settings are those of the server's day: settings from the last hour are, older ones are read
    /// again.
    func update(for day: Int, until deadline: Deadline) throws(MPinError) {
        guard settingsDay != day else { return }
        if settingsDay != nil || recent.hasPassed { try readSettings(until: deadline) }
        settingsDay = day
    }

    /// Reads the settings again if they are older than this call and the server provides them.
    ///
    /// - Returns: whether the settings are now current.
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

    /// Reads the settings again if they are older than this call and may be the cause of its failure.
    ///
    /// - Throws: the failure itself if nothing else can be tried.
    private func readSettings(after error: MPinError, until deadline: Deadline) throws(MPinError) {
        guard origin != .server, error.mayComeOfOldSettings, !deadline.hasPassed else { throw error }
        let failure = error
        do throws(MPinError) { try readSettings(until: deadline) } catch { throw failure }
    }

    private func readSettings(until deadline: Deadline) throws(MPinError) {
        do throws(MPinError) {
            settings = try transport.clientSettings(of: backend, rpsPrefix, until: deadline)
        } catch { throw refusal(error) }
        (settingsDay, origin) = (nil, .server)
        recent = Server.anHour
    }

    private static var anHour: Deadline { Deadline(millisecondsFromNow: 3_600_000) }

    /// The server to which a setting's address belongs.
    ///
    /// At a socket there is only one server, whatever address it names. Its second authority may still be on another
    /// host, which sees the second shares so that the server does not. The server then names an extension, and that one
    /// address is used as it is.
    func place(of setting: MemberName) -> Backend {
        guard setting == .certivoxURL, let address = settings.text(setting) else { return backend }
        return secondAuthority(at: address)
    }

    /// The server to which an address of the second authority belongs.
    func secondAuthority(at address: ByteText) -> Backend {
        guard case .socket = backend.route, settings.offers(.secondAuthority), let place = Backend(address) else {
            return backend
        }
        return place
    }

    /// The URL for one of the settings, with a suffix appended to its path.
    ///
    /// - Parameter isProven: whether the answer must be proven. Such a request stays at this server's address.
    /// - Throws: RESPONSE_PARSE_ERROR if the settings have no usable URL.
    @inline(never)
    func url(
        _ setting: MemberName, _ rest: ByteText = ByteText(), isProven: Bool = false
    ) throws(MPinError) -> ByteText {
        let stays = (staysAtAddress || isProven) && setting != .certivoxURL
        guard let text = settings.text(setting), let url = place(of: setting).resolve(text, pathOnly: stays)
        else { throw MPinError(.responseParseError, "The server's settings lack a usable address.") }
        // The second authority's URL may or may not end in a slash.
        return setting == .certivoxURL && url.bytes.last != UInt8(ascii: "/") ? url + "/" + rest : url + rest
    }

    /// Makes a request that cannot have a PIN judged, and decodes its answer. If it fails with settings from before
    /// this call, they are read again and the request is repeated, unless a PIN of this login may have been judged
    /// before.
    ///
    /// - Parameter check: what every answer must prove.
    func request<Answer>(
        _ endpoint: Endpoint, _ setting: MemberName, _ rest: ByteText = ByteText(), body: [UInt8]? = nil,
        until deadline: Deadline, mayRepeat: Bool = true, check: AnswerCheck? = nil,
        _ decode: (Span<UInt8>) throws(WireError) -> Answer
    ) throws(MPinError) -> Answer {
        try readDoubtfulSettings(until: deadline)
        var mayRepeat = mayRepeat
        while true {
            do throws(MPinError) {
                return try connection(to: place(of: setting)).request(
                    endpoint, url(setting, rest, isProven: check != nil), body: body, until: deadline, check: check,
                    decode)
            } catch {
                guard mayRepeat else { throw error }
                mayRepeat = false
                try prepareRepeat(of: endpoint, to: setting, after: error, until: deadline)
            }
        }
    }

    /// The connection for a request to this server, or to its second authority.
    @inline(never)
    func connection(to place: Backend) throws(MPinError) -> HTTPTransport {
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

    /// Reads the settings again if outdated ones may have caused a failure; otherwise throws the failure.
    @inline(never)
    private func prepareRepeat(
        of endpoint: Endpoint, to setting: MemberName, after error: MPinError, until deadline: Deadline
    ) throws(MPinError) {
        let before = settings.text(setting)
        try readSettings(after: error, until: deadline)
        // A registration or a first share may have been issued although the answer was lost. It is not requested twice
        // at one place.
        if endpoint == .register || endpoint == .signature, settings.text(setting) == before { throw error }
    }
}

extension MPinError {
    /// Whether outdated settings may be the cause: not if the server has judged the request, and not if it asks the
    /// client to wait.
    fileprivate var mayComeOfOldSettings: Bool {
        guard !isLocal else { return false }
        return switch code {
        case .networkError, .responseParseError, .httpServerError, .httpRequestError, .badUserAgent: cause != .limited
        default: false
        }
    }
}

extension HTTPTransport {
    /// Fetches a service's description before a server is chosen: its name and its server.
    func serviceDescription(of backend: Backend, until deadline: Deadline) throws(MPinError) -> ServiceDescription {
        try request(.service, backend.url(path: "/service"), until: deadline, ServiceDescription.decode)
    }

    func clientSettings(
        of backend: Backend, _ rpsPrefix: ByteText, until deadline: Deadline
    ) throws(MPinError) -> ClientSettings {
        let url = backend.url(path: "/" + rpsPrefix + "/clientSettings")
        return try request(.clientSettings, url, until: deadline, ClientSettings.decode)
    }

    /// Informs the server that a user is about to log in for a waiting session, so that the session can show the user.
    ///
    /// This is optional: the login continues whatever the result.
    func announce(_ user: User, to accessCode: ByteText?, at url: ByteText?, until deadline: Deadline) {
        guard let accessCode, !accessCode.isEmpty, let url else { return }
        let body = CodeStatusRequest.encode(accessCode, userID: user.record.identity)
        _ = try? send(.codeStatus, url, body: body, until: deadline)
    }
}

extension Server {
    /// Fetches who requests the login behind an access number or scanned code; nil if the server does not report it.
    ///
    /// - Returns: the details, and the body that they were read from.
    func sessionDetails(
        of accessCode: ByteText, until deadline: Deadline
    ) throws(MPinError) -> (details: SessionDetailsResponse, body: ByteText)? {
        guard let setting = settings.text(.codeStatusURL), !setting.isEmpty else { return nil }
        let body = CodeStatusRequest.encode(accessCode, userID: nil)
        do throws(MPinError) {
            return try request(.codeStatus, .codeStatusURL, body: body, until: deadline) { answer throws(WireError) in
                (try SessionDetailsResponse.decode(answer), ByteText(answer))
            }
        } catch { throw refusal(error) }
    }
}

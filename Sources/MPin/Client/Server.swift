internal import MPinWire

/// A server during a call: its address, the connection to it and what it says about itself.
///
/// A class because it is passed around whole, and settings are long to copy.
final class Server {
    let backend: Backend
    let transport: HTTPTransport
    let settings: ServerSettings

    init(backend: Backend, transport: HTTPTransport, settings: ServerSettings) {
        self.backend = backend
        self.transport = transport
        self.settings = settings
    }

    /// The URL to call for one of the settings, with something appended to its path.
    ///
    /// - Throws: RESPONSE_PARSE_ERROR when the settings have none that may be called.
    func url(_ setting: Field, _ rest: Text = Text()) throws(MPinError) -> Text {
        guard let setting = settings.text(setting), let url = backend.resolve(setting) else {
            throw MPinError(.responseParseError, "The server's settings lack an address that may be called.")
        }
        return url + rest
    }

    /// The URL of a path below the second authority, whose setting may or may not end in a slash.
    func secondAuthorityURL(_ path: Text) throws(MPinError) -> Text {
        let base = try url(.certivoxURL)
        return base.bytes.last == UInt8(ascii: "/") ? base + path : base + "/" + path
    }

    /// Makes a request that must be answered with 200.
    ///
    /// - Throws: what the failure means for this call, with whether the PIN may have been judged.
    func request(
        _ call: RemoteCall, _ method: StaticString, _ url: Text, body: [UInt8]? = nil, deadline: Deadline
    ) throws(MPinError) {
        let status: Int
        do throws(MPinError) { status = try transport.send(method, url, body: body, deadline: deadline) } catch {
            throw error.with(call.pinChecked(unanswered: error.pinChecked))
        }
        guard status != 200 else { return }
        let (code, message) = call.failure(httpStatus: status)
        let attemptsLeft = call == .authenticate ? transport.withAnswer { RefusalBody.attemptsLeft(in: $0) } : nil
        throw MPinError(
            code, message, attemptsLeft: attemptsLeft, pinChecked: call.pinChecked(httpStatus: status),
            httpStatus: status)
    }
}

extension HTTPTransport {
    /// Reads the last answer as a message.
    ///
    /// - Throws: RESPONSE_PARSE_ERROR when it is none.
    func read<Message>(
        _ decode: (Span<UInt8>) throws(WireError) -> Message
    ) throws(MPinError) -> Message {
        do { return try withAnswer(decode) } catch {
            throw MPinError(.responseParseError, "The server answered something else than the protocol says.")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

/// One connection to one server, made for the first request.
///
/// Answers arrive in a page for secrets, because some of them contain shares.
@safe final class HTTPTransport {
    private let backend: Backend
    let options: TransportOptions
    private var connection: OpaquePointer?
    private var answer: SecretBytes

    /// The largest answer that is read, in bytes.
    static let answerLimit = 65_536

    /// Public keys that may also have signed the server's certificate, 65 bytes each, one after the other.
    private let serverKeys: [UInt8]

    init(backend: Backend, options: TransportOptions, serverKeys: [UInt8] = []) throws(MPinError) {
        self.backend = backend
        self.options = options
        self.serverKeys = serverKeys
        do { answer = try SecretBytes(capacity: HTTPTransport.answerLimit) } catch { throw MPinError(error) }
    }

    deinit { unsafe mpin_http_close(connection) }

    /// Makes a request that must be answered with 200, and lends the answer to a closure. Nothing of it is kept.
    ///
    /// - Parameter check: what every answer must prove, whatever its status; nothing of an answer without this proof is
    ///   used.
    /// - Throws: the meaning of the failure at this endpoint, with whether the PIN may have been judged; NETWORK_ERROR
    ///   if no answer arrived or it is not proven, RESPONSE_PARSE_ERROR if the closure cannot decode it.
    func request<Answer>(
        _ endpoint: Endpoint, _ url: ByteText, body: [UInt8]? = nil, until deadline: Deadline,
        check: AnswerCheck? = nil, _ decode: (Span<UInt8>) throws(WireError) -> Answer
    ) throws(MPinError) -> Answer {
        defer { forgetAnswer() }
        try performSuccessfully(endpoint, url, body, deadline, check)
        do throws(WireError) { return try answer.withBytes(decode) } catch { throw endpoint.unreadable }
    }

    /// Makes a request and refuses every status except 200. Separate from the function above, which is compiled once
    /// per answer.
    @inline(never)
    private func performSuccessfully(
        _ endpoint: Endpoint, _ url: ByteText, _ body: [UInt8]?, _ deadline: Deadline, _ check: AnswerCheck?
    ) throws(MPinError) {
        check?.begin()
        let status = try perform(endpoint, url, body, deadline)
        if let check {
            answer.withBytes { check.read($0, status: status) }
            guard check.isProven else { throw check.failure(at: endpoint) }
        }
        guard status == 200 else { throw answer.withBytes { endpoint.refusal(httpStatus: status, $0) } }
    }

    /// Makes a request for which only the HTTP status of the answer matters.
    func send(_ endpoint: Endpoint, _ url: ByteText, body: [UInt8], until deadline: Deadline) throws(MPinError) -> Int {
        defer { forgetAnswer() }
        return try perform(endpoint, url, body, deadline)
    }

    /// Reads a page for which only the HTTP status of the answer matters.
    func status(of url: ByteText, until deadline: Deadline) throws(MPinError) -> Int {
        defer { forgetAnswer() }
        return try perform(.service, url, nil, deadline)
    }

    @inline(never)
    private func forgetAnswer() {
        answer.withMutableBytes(count: 0) { _ in }
    }

    /// Makes a request and has the answer written into the page for answers.
    ///
    /// - Returns: the HTTP status.
    @inline(never)
    private func perform(
        _ endpoint: Endpoint, _ url: ByteText, _ body: [UInt8]?, _ deadline: Deadline
    ) throws(MPinError) -> Int {
        let connection = try unsafe open(for: endpoint)
        var result = mpin_http_answer()
        let outcome = unsafe answer.withMutablePointer(count: HTTPTransport.answerLimit) { target in
            unsafe url.cString.withUnsafeBufferPointer { url in
                unsafe (body ?? []).withUnsafeBufferPointer { bytes in
                    var request = unsafe mpin_http_request(
                        method: endpoint.method.cString, url: url.baseAddress,
                        body: body == nil ? nil : bytes.baseAddress, body_length: bytes.count, answer: target,
                        answer_capacity: HTTPTransport.answerLimit, deadline_ns: deadline.nanoseconds,
                        stop: deadline.stop)
                    return unsafe mpin_http_perform(connection, &request, &result)
                }
            }
        }
        answer.withMutableBytes(count: Int(result.length)) { _ in }
        guard outcome == MPIN_HTTP_ANSWERED else {
            let error = HTTPTransport.failure(outcome, at: endpoint, wasConnected: result.connected != 0)
            throw deadline.isStopped ? error.canceled : error
        }
        return Int(result.status)
    }

    private func open(for endpoint: Endpoint) throws(MPinError) -> OpaquePointer {
        if let connection = unsafe connection { return unsafe connection }
        var outcome = MPIN_HTTP_NO_MEMORY
        var path: [CChar]?
        if case .socket(let socket) = backend.route { path = socket.cString }
        let serverUID = path == nil ? -1 : unsafe mpin_account_find(options.serverUserText.cString, nil, 0)
        let caFile = path == nil ? options.caFileText?.cString : nil
        let directory = path == nil ? TransportOptions.systemCertificates.cString : nil
        let opened = unsafe path.withPointer { path in
            unsafe caFile.withPointer { caFile in
                unsafe directory.withPointer { directory in
                    unsafe (options.headerLines?.cString).withPointer { headers in
                        unsafe serverKeys.withUnsafeBufferPointer { keys in
                            var endpoint = unsafe mpin_http_endpoint(
                                socket_path: path, server_uid: serverUID, ca_file: caFile, ca_directory: directory,
                                server_keys: keys.baseAddress,
                                server_key_count: keys.count / Int(MPIN_SERVER_KEY_SIZE), headers: headers,
                                watch: options.watch)
                            return unsafe mpin_http_open(&endpoint, &outcome)
                        }
                    }
                }
            }
        }
        guard let opened = unsafe opened else {
            throw HTTPTransport.failure(outcome, at: endpoint, wasConnected: false)
        }
        if path == nil, let keys = options.tlsPinText?.cString {
            guard unsafe mpin_http_pin(opened, keys) == 1 else {
                unsafe mpin_http_close(opened)
                throw HTTPTransport.failure(MPIN_HTTP_NO_MEMORY, at: endpoint, wasConnected: false)
            }
        }
        unsafe connection = unsafe opened
        return unsafe opened
    }

    /// Accepts every certificate. Only for a request whose answer proves by itself who has sent it, and that contains
    /// nothing secret.
    func acceptAnyCertificate() throws(MPinError) {
        let connection = try unsafe open(for: .hello)
        guard unsafe mpin_http_accept_any_certificate(connection) == 1 else {
            throw HTTPTransport.failure(MPIN_HTTP_NO_MEMORY, at: .hello, wasConnected: false)
        }
    }

    /// The error for an answer that came too late to be used.
    @inline(never)
    static var late: MPinError { failure(MPIN_HTTP_TIMED_OUT, at: .directLogin, wasConnected: true) }

    /// The error for an answer that this process lacked memory to judge.
    @inline(never)
    static func noMemory(at endpoint: Endpoint) -> MPinError {
        failure(MPIN_HTTP_NO_MEMORY, at: endpoint, wasConnected: true)
    }

    private static func failure(_ outcome: mpin_http_outcome, at endpoint: Endpoint, wasConnected: Bool) -> MPinError {
        let sentence: Constant =
            switch outcome {
            case MPIN_HTTP_NO_LIBRARY: "The package libcurl4 is missing or too old."
            case MPIN_HTTP_NO_MEMORY: "This process lacks memory or threads to reach the server: see ulimit -a."
            case MPIN_HTTP_NO_FILES: "This process has too many open files to reach the server: see ulimit -n."
            case MPIN_HTTP_NO_AUTHORITY: "The ca_file is unreadable, unsafe or empty."
            case MPIN_HTTP_UNKNOWN_HOST: "The server's host name cannot be resolved."
            case MPIN_HTTP_UNTRUSTED: "The server's certificate is not trusted."
            case MPIN_HTTP_UNKNOWN_ISSUER: "The issuer of the server's certificate is not trusted."
            case MPIN_HTTP_FOREIGN_ISSUER: "Neither a trusted CA nor the server's key has signed the certificate."
            case MPIN_HTTP_REFUSED: "The server refused the connection."
            case MPIN_HTTP_EXPIRED: "The server's certificate has expired."
            case MPIN_HTTP_NOT_YET_VALID: "The server's certificate is not valid yet."
            case MPIN_HTTP_OTHER_NAME: "The server's certificate is for another host name."
            case MPIN_HTTP_OTHER_KEY: "The certificate's key is not in tls_pin."
            case MPIN_HTTP_NO_TLS: "The server does not use TLS on this port."
            case MPIN_HTTP_NO_HANDSHAKE where CryptoError.isLibraryRestricted:
                "No provider of OpenSSL meets the default properties in openssl.cnf."
            case MPIN_HTTP_NO_HANDSHAKE: "The TLS handshake with the server failed."
            case MPIN_HTTP_FOREIGN_PEER: "The server's socket is not server_user's."
            case MPIN_HTTP_TIMED_OUT: "The server did not answer in time."
            case MPIN_HTTP_TOO_LARGE: "The server's answer is too large."
            default: "The server cannot be reached."
            }
        return MPinError(
            outcome == MPIN_HTTP_TOO_LARGE ? .responseParseError : .networkError, sentence,
            pinChecked: endpoint.pinChecked(
                .unanswered(mayHaveArrived: wasConnected && outcome != MPIN_HTTP_FOREIGN_PEER)), cause: cause(outcome))
    }

    private static func cause(_ outcome: mpin_http_outcome) -> MPinError.Cause {
        switch outcome {
        case MPIN_HTTP_NO_LIBRARY, MPIN_HTTP_NO_FILES: return .caller
        case MPIN_HTTP_NO_MEMORY: return .noMemory
        case MPIN_HTTP_NO_AUTHORITY: return .authorityFile
        default: break
        }
        // The rest is for programs that give advice.
        switch outcome {
        case MPIN_HTTP_UNKNOWN_HOST: return .unknownHost
        case MPIN_HTTP_NO_SOCKET: return .missingSocket
        case MPIN_HTTP_REFUSED: return .connectionRefused
        case MPIN_HTTP_TIMED_OUT: return .noAnswer
        case MPIN_HTTP_UNKNOWN_ISSUER: return .unknownIssuer
        case MPIN_HTTP_FOREIGN_ISSUER: return .foreignIssuer
        case MPIN_HTTP_EXPIRED, MPIN_HTTP_NOT_YET_VALID: return .outOfDate
        case MPIN_HTTP_OTHER_NAME: return .otherName
        case MPIN_HTTP_UNTRUSTED, MPIN_HTTP_OTHER_KEY: return .untrusted
        case MPIN_HTTP_NO_TLS: return .noTLS
        case MPIN_HTTP_FOREIGN_PEER: return .peer
        default: break
        }
        return .server
    }
}

extension [CChar]? {
    /// Lends a C string, or NULL for none.
    @inline(never)
    fileprivate func withPointer(_ body: (UnsafePointer<CChar>?) -> OpaquePointer?) -> OpaquePointer? {
        guard let self else { return unsafe body(nil) }
        return unsafe self.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}

/// Decides whether an answer comes from the server that has a key: whether its proof covers the request, the status and
/// the body.
///
/// It is a class because the code that made the request reads the result.
final class AnswerCheck {
    /// The server's public key, 65 bytes.
    let key: HexText
    /// SHA-256 of ``key``.
    let keyHash: [UInt8]
    private let kind: ServerStatement.Kind
    private let request: [UInt8]

    private(set) var isProven = false
    /// Whether this process could not decide that, which says nothing about the server.
    private var isUndecided = false

    /// - Parameter request: the digest that identifies the request; see ``ServerStatement``.
    init(_ kind: ServerStatement.Kind, key: HexText, hash keyHash: [UInt8], request: [UInt8]) {
        (self.kind, self.key, self.keyHash, self.request) = (kind, key, keyHash, request)
    }

    @inline(never)
    func read(_ answer: Span<UInt8>, status: Int) {
        begin()
        guard let (count, signature) = AnswerProof.split(answer) else { return }
        do throws(CryptoError) {
            let digest = try ServerStatement.answer(
                kind, keyHash: keyHash, request: request, status: status, body: answer.extracting(0..<count))
            isProven = try DevicePublicKey(kept: key.bytes).verifies(signature, over: digest)
        } catch { isUndecided = true }
    }

    /// Marks the beginning of a request: nothing is proven yet.
    func begin() { (isProven, isUndecided) = (false, false) }

    /// The error for an answer that is not proven. It does not have the HTTP status, because anything between client and
    /// server can choose that.
    @inline(never)
    func failure(at endpoint: Endpoint) -> MPinError {
        if isUndecided { return HTTPTransport.noMemory(at: endpoint) }
        return MPinError(
            .networkError, "The answer was not signed by this registration's server.",
            pinChecked: endpoint.pinChecked(.unreadable), cause: .unproven)
    }
}

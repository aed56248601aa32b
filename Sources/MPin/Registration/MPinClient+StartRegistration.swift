// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Starts the registration of a new identity.
    ///
    /// The server issues an M-Pin ID. It then either has the identity verified (STARTED_REGISTRATION) or accepts it as
    /// verified (ACTIVATED), for example because of an invitation code.
    ///
    /// At a server that offers device keys, the registration gets a key of this device, and belongs to the server's key
    /// from then on: only answers that this key has signed count. An invitation or backup code is never sent: client and
    /// server prove to each other that they know it, so the server's key is right even if an attacker between them has a
    /// trusted certificate. Without such a code, `serverKey` decides, or else TLS. A server of 2016 offers nothing of
    /// this, and gives a Milagro registration, which stays one. An attacker with a trusted certificate can make a server
    /// look like that, so it is refused unless ``TransportOptions/acceptsOldServer`` is set. A server that offers only a
    /// part is always refused.
    /// - Parameters:
    ///   - user: a user in state INVALID whose identity is not registered at this server yet.
    ///   - invitation: an invitation or backup code, of 16 symbols.
    ///   - userData: text for the application behind the server.
    ///   - serverKey: the fingerprint that the key of the server must have.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server refuses; NETWORK_ERROR also if it cannot prove its key or the
    ///   code, or has another key; FLOW_ERROR in another state, or for a code of another form. The user stays INVALID.
    ///
    /// Milagro: `StartRegistration`
    public mutating func startRegistration(
        _ user: User, invitation: String? = nil, userData: String? = nil, serverKey: String? = nil
    ) throws(MPinError) {
        try startRegistration(user, MPinClient.invitation(invitation), userData: userData, serverKey: serverKey)
    }

    /// Starts the registration of a new identity with a code of the application behind the server.
    ///
    /// The code is sent as it is, whatever its form. Otherwise this is
    /// ``startRegistration(_:invitation:userData:serverKey:)`` without an invitation: the code does not prove the
    /// server's key.
    /// - Parameters:
    ///   - user: a user in state INVALID whose identity is not registered at this server yet.
    ///   - activateCode: the application's code.
    ///   - userData: text for the application behind the server.
    ///   - serverKey: the fingerprint that the key of the server must have.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server refuses; NETWORK_ERROR also if it cannot prove its key, or has
    ///   another key; FLOW_ERROR in another state. The user stays INVALID.
    ///
    /// Milagro: `StartRegistration`
    public mutating func startRegistration(
        _ user: User, activateCode: String, userData: String? = nil, serverKey: String? = nil
    ) throws(MPinError) {
        try startRegistration(user, .application(activateCode), userData: userData, serverKey: serverKey)
    }

    /// Starts a registration with a code whose kind the caller has decided.
    package mutating func startRegistration(
        _ user: User, _ code: RegistrationCode?, userData: String? = nil, serverKey: String? = nil
    ) throws(MPinError) {
        guard user.state == .invalid, !isListed(user) else { throw user.wrongState }
        guard !user.record.identity.isEmpty else { throw MPinError(.flowError, "A user needs an identity.") }
        guard let backend else { throw MPinClient.noServer }
        try withStoreLock { client throws(MPinError) in
            try client.requireFree(user.record.identity, at: backend.address)
        }
        let required = try requiredServerKey(
            serverKey, of: user, at: backend, isProven: code?.symbols != nil)
        let offer = try server(deadline()).offer(required, needsKey: code?.symbols != nil, until: deadline())
        var request = RegisterRequest(of: user, userData: userData)
        let registration: RegistrationRecord
        let answer: RegisterResponse
        switch offer {
        case .device(let key, let hash):
            let pin = try EnrollmentPin(key, hash: hash, required?.source ?? .tls, code: code?.symbols)
            let device = try makeDevice(for: user, pin)
            // Making a key can take seconds.
            let deadline = deadline()
            request.deviceKey = device.key.publicKey
            answer = try enroll(user, &request, code, pin, at: server(deadline), until: deadline)
            registration = .device(device)
        case .milagro:
            if case .tpm = options.newKey {
                throw MPinError(.flowError, "The server does not accept device keys, so none can be made in the TPM.")
            }
            request.activateCode = code?.applicationText
            let deadline = deadline()
            answer = try server(deadline).register(request.encode(), nil, until: deadline)
            registration = .milagro
        }
        try user.requireIssued(answer)
        try withStoreLock { client throws(MPinError) in try client.keep(answer, registration, of: user, at: backend) }
        known.users.append(user)
    }

    /// Stores a started registration, if its identity is still free. If that fails, the user is as before.
    private mutating func keep(
        _ answer: RegisterResponse, _ registration: RegistrationRecord, of user: User, at backend: Backend
    ) throws(MPinError) {
        try requireFree(user.record.identity, at: backend.address, registration)
        user.record.backend = backend.address
        user.record.rpsPrefix = rpsPrefix == MPinClient.standardPrefix ? nil : rpsPrefix
        user.registration = registration
        user.adopt(answer)
        do throws(StoreError) { try RecordFile.write(user, to: store) } catch {
            (user.record.backend, user.record.rpsPrefix, user.record.mpinID) = (ByteText(), nil, nil)
            user.forget()
            throw MPinError(error)
        }
    }

    /// Makes sure that an identity is not registered here yet, by this client or by another process: its token would be
    /// lost. The caller holds the lock.
    ///
    /// - Parameter registration: the new registration. Its server may have another one at another address.
    private mutating func requireFree(
        _ identity: ByteText, at backend: ByteText, _ registration: RegistrationRecord? = nil
    ) throws(MPinError) {
        var key: HexText?
        if case .device(let device)? = registration { key = device.serverKey }
        let stored = try reread()
        for user in stored + known.users where user.record.identity == identity {
            if user.record.backend == backend || key != nil && user.device?.serverKey == key {
                throw MPinError(
                    .flowError, "This identity is already registered at this server: delete or recover it first.")
            }
        }
    }

    private mutating func makeDevice(for user: User, _ pin: EnrollmentPin) throws(MPinError) -> DeviceRegistration {
        let made = try RegistrationKey.make(options, stop: stop)
        user.tpmFault = made.tpmFault
        let device = DeviceRegistration(made.key, serverKey: pin.key, pin.source)
        try withStoreLock { client throws(MPinError) in
            guard let backend = client.backend else { throw MPinClient.noServer }
            try client.requireFree(user.record.identity, at: backend.address, .device(device))
        }
        return device
    }
}

extension Server {
    /// Starts a registration, or restarts that of an M-Pin ID.
    ///
    /// - Parameter body: a ``RegisterRequest``, encoded.
    func register(
        _ body: [UInt8], again mpinID: HexText? = nil, _ check: AnswerCheck?, until deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        let path = mpinID.map { "/" + $0.digits } ?? ByteText()
        return try request(
            .register, .registerURL, path, body: body, until: deadline, check: check, RegisterResponse.decode)
    }
}

/// A code that admits a registration. The caller decides which kind a text is: the settings of a server are not proven,
/// and what is sent cannot be taken back.
package enum RegistrationCode: Sendable {
    /// The symbols of an invitation or backup code, which both sides prove, and which is never sent.
    case invitation([UInt8])
    /// A text for the application behind the server, such as a mailed code. It is sent as it is.
    case application(String)

    /// Reads an invitation or backup code; nil for a text of another form.
    package init?(invitation text: String) {
        guard let symbols = EnrollmentCode.symbols(text) else { return nil }
        self = .invitation(symbols)
    }

    var symbols: [UInt8]? { if case .invitation(let symbols) = self { symbols } else { nil } }

    var applicationText: String? { if case .application(let text) = self { text } else { nil } }
}

extension MPinClient {
    /// Reads the invitation or backup code of a call.
    ///
    /// - Returns: nil without a code.
    /// - Throws: FLOW_ERROR for a text of another form.
    static func invitation(_ text: String?) throws(MPinError) -> RegistrationCode? {
        guard let text else { return nil }
        guard let code = RegistrationCode(invitation: text) else {
            throw MPinError(.flowError, "This is not an invitation or backup code. Check for a mistyped character.")
        }
        return code
    }
}

extension RegisterRequest {
    /// The request for a user, without code and device key.
    init(of user: User, userData: String?, regOTT: HexText? = nil) {
        self.init(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            userData: userData.map { JSONWriter.quoted($0) }, regOTT: regOTT)
    }
}

extension User {
    /// Refuses an M-Pin ID of another identity: a token for it would log in that other user.
    func requireIssued(_ answer: RegisterResponse) throws(MPinError) {
        let named: ByteText
        do { named = ByteText(try MPinIDRecord.decode(answer.mpinID.bytes.span).userID) } catch {
            throw MPinError(.responseParseError, "The server issued an M-Pin ID without an identity.")
        }
        guard named == record.identity else {
            throw MPinError(.responseParseError, "The server issued an M-Pin ID for another identity.")
        }
    }

    func adopt(_ answer: RegisterResponse) {
        record.mpinID = answer.mpinID
        record.regOTT = answer.regOTT.digits
        state = answer.active ? .activated : .startedRegistration
        isAdmittedByCodesOnly = answer.codesOnly
        // A restart need not repeat what the start has returned.
        var notes = notes
        if let device = answer.device { notes.device = device }
        if let count = answer.backupCodes { notes.backupCodes = count }
        self.notes = notes
    }
}

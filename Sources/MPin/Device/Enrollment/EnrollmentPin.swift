// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The server key that a registration gets, or has got, with an enrollment, and the code that both sides know.
///
/// It is a class so that the secret of the code has one owner.
final class EnrollmentPin {
    /// The server's public key, 65 bytes.
    let key: HexText
    /// SHA-256 of ``key``.
    let hash: [UInt8]
    let source: ServerKeySource
    private let code: CodeSecret?

    /// - Parameter symbols: those of the enrollment code, if there is one.
    init(_ key: HexText, hash: [UInt8], _ source: ServerKeySource, code symbols: [UInt8]?) throws(MPinError) {
        (self.key, self.hash) = (key, hash)
        self.source = symbols == nil ? source : .invitation
        do throws(CryptoError) { if let symbols { code = try CodeSecret(symbols: symbols) } else { code = nil } } catch
        { throw MPinError(error) }
    }

    /// The pin of an unfinished registration.
    ///
    /// - Parameter symbols: those of an enrollment code received meanwhile.
    convenience init(of device: DeviceRegistration, code symbols: [UInt8]? = nil) throws(MPinError) {
        try self.init(device.serverKey, hash: device.serverID(), device.source, code: symbols)
    }

    /// What is sent instead of the code; nil without a code.
    func namedCode(for user: User, deviceKey: HexText) throws(MPinError) -> NamedCode? {
        switch code {
        case .none: return nil
        case .some(let code):
            do throws(CryptoError) {
                let proof = try code.clientProof(
                    user: user.record.identity.bytes, deviceKey: deviceKey.bytes, serverKeyHash: hash)
                return NamedCode(name: HexText(bytes: code.name), proof: HexText(bytes: proof))
            } catch { throw MPinError(error) }
        }
    }

    /// Refuses a server that does not know the code: it is not the one that made it.
    func require(_ proof: HexText?, for user: User, deviceKey: HexText) throws(MPinError) {
        switch code {
        case .none: return
        case .some(let code):
            let expected: [UInt8]
            do throws(CryptoError) {
                expected = try code.serverProof(
                    user: user.record.identity.bytes, deviceKey: deviceKey.bytes, serverKeyHash: hash)
            } catch { throw MPinError(error) }
            guard let proof, Hash.equal(proof.bytes, expected) else { throw MPinClient.unprovenCode }
        }
    }

    /// What the answer to a request of this enrollment must prove.
    ///
    /// - Parameters:
    ///   - mpinID: the M-Pin ID in its path, if there is one.
    ///   - content: its body or query.
    func check(_ word: StaticString, _ mpinID: HexText?, _ content: [UInt8]) throws(MPinError) -> AnswerCheck {
        do throws(CryptoError) {
            return AnswerCheck(
                .enrollment, key: key, hash: hash,
                request: try ServerStatement.enrollmentRequest(
                    ByteText(word).bytes, mpinID: mpinID?.bytes ?? [], content: content))
        } catch { throw MPinError(error) }
    }
}

extension MPinClient {
    /// Starts or restarts a registration with a device key, and checks the answer's proofs.
    ///
    /// - Parameters:
    ///   - request: receives the code: an invitation or backup code by its name, any other as it is.
    ///   - mpinID: the M-Pin ID of a registration that is restarted.
    func enroll(
        _ user: User, _ request: inout RegisterRequest, _ code: RegistrationCode?, _ pin: EnrollmentPin,
        at server: Server, again mpinID: HexText? = nil, until deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        guard let deviceKey = request.deviceKey else { throw MPinClient.noServerProof }
        request.code = try pin.namedCode(for: user, deviceKey: deviceKey)
        request.activateCode = code?.applicationText
        let body = request.encode()
        let check = try pin.check(mpinID == nil ? "register" : "restart", mpinID, body)
        let answer = try server.register(body, again: mpinID, check, until: deadline)
        try pin.require(answer.codeProof, for: user, deviceKey: deviceKey)
        learnTime(from: answer)
        return answer
    }

    /// Proves that a request for an unfinished registration comes from the device that has its key.
    func proof(
        _ request: StaticString, of user: User, _ device: DeviceRegistration, _ regOTT: HexText
    ) throws(MPinError) -> DeviceProof {
        let offset = CachedLogin.read(mpinID: try user.requireMPinID(), from: store).record.clockOffset
        return try device.proof(
            request, of: user, regOTT: regOTT.bytes, offset, tpm: options.tpmDevice, until: deadline()
        ).proof
    }

    /// Stores the difference between the clocks, if the server that began a registration reports a time that differs by
    /// more than a request takes. What the device signs next must have the server's time.
    private func learnTime(from answer: RegisterResponse) {
        guard let time = answer.nowTime.flatMap(SigningClock.milliseconds), let offset = SigningClock.offset(of: time)
        else { return }
        let cache = CachedLogin.read(mpinID: answer.mpinID, from: store)
        guard offset.magnitude > 10_000 || cache.record.clockOffset != nil else { return }
        cache.learnTime(time)
        cache.write(to: store)
    }
}

extension SigningClock {
    /// Converts a time in UTC, `YYYY-MM-DDTHH:MM:SS` with any suffix, to milliseconds since 1970-01-01; nil for another
    /// form.
    fileprivate static func milliseconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8.prefix(19))
        guard bytes.count == 19, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var number = 0
            for byte in bytes[range] {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return number
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            year >= 1970, 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        // The days of the civil calendar, in years that begin with March.
        let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 719_469
        return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
    }
}

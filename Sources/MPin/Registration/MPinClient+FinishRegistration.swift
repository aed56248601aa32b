// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Fetches both shares of the client secret, if the identity has been verified.
    ///
    /// The shares stay in memory for ``finishRegistration(_:pin:)``. If the second authority fails, the first share is
    /// kept, and another call asks only for the second one. That works for about a minute.
    /// - Parameters:
    ///   - user: a user in state STARTED_REGISTRATION or ACTIVATED; the state does not change.
    ///   - pushNotificationIdentifier: where the server may send push messages for this user.
    /// - Throws: IDENTITY_NOT_VERIFIED while the identity is not verified, or if the registration has expired. After
    ///   that, only ``restartRegistration(_:invitation:userData:)`` helps, which then works in state ACTIVATED too.
    ///   FLOW_ERROR if another process has continued the registration.
    ///
    /// Milagro: `ConfirmRegistration`
    public mutating func confirmRegistration(
        _ user: User, pushNotificationIdentifier: String? = nil
    ) throws(MPinError) {
        try requireHere(user)
        try requireUnchanged(user)
        guard user.state == .startedRegistration || user.state == .activated, let regOTT = user.regOTT,
            let mpinID = user.record.mpinID
        else { throw user.wrongState }
        let deadline = deadline()
        let server = try server(deadline)
        let pending: PendingRegistration
        if let started = user.pending {
            pending = started
        } else {
            pending = try firstShare(mpinID, regOTT, pushNotificationIdentifier, of: user, at: server, deadline)
            user.pending = pending
        }
        let share: SecretBytes
        do throws(MPinError) { share = try server.clientSecret(of: pending, until: deadline) } catch {
            // An expired query stays expired. After any other error, the second share can be requested again with the
            // same first share.
            if error.code == .requestExpired { user.pending = nil }
            throw error
        }
        pending.complete(with: share)
    }

    /// Fetches both shares. If only the second authority fails, the request to it is repeated for a minute, for which
    /// the signature of the request is valid: the first authority issues its share only once, and the share is kept in
    /// memory meanwhile.
    ///
    /// - Parameter notice: called once, before the first repetition.
    package mutating func confirmBoth(_ user: User, notice: () -> Void = {}) throws(MPinError) {
        let limit = Deadline(millisecondsFromNow: 60_000)
        var pause: Int64 = 1
        while true {
            do throws(MPinError) { return try confirmRegistration(user) } catch {
                guard user.holdsFirstShare, !limit.hasPassed else { throw error }
            }
            if pause == 1 { notice() }
            mpin_pause_ns(pause * 1_000_000_000)
            pause = min(pause * 2, 5)
        }
    }

    private func firstShare(
        _ mpinID: HexText, _ regOTT: HexText, _ pushToken: String?, of user: User, at server: Server,
        _ deadline: Deadline
    ) throws(MPinError) -> PendingRegistration {
        var query = SignatureQuery(regOTT: regOTT, pushToken: pushToken)
        var check: AnswerCheck?
        if let device = user.device {
            query.deviceProof = try proof("signature", of: user, device, regOTT)
            check = try EnrollmentPin(of: device).check("signature", mpinID, Array(query.encode().utf8))
        }
        do throws(MPinError) {
            return try server.signature(of: mpinID, ByteText(query.encode()), check, until: deadline)
        } catch {
            // The server will never confirm this registration: it does not know it, or has refused it permanently. The
            // error for an answer that is not proven has no status.
            if let status = error.httpStatus, [400, 403, 404, 410].contains(status) { user.hasLapsed = true }
            throw error
        }
    }
}

extension MPinClient {
    /// Splits the client secret into the PIN and the token, and stores the token.
    ///
    /// - Parameters:
    ///   - user: a user whose registration has been confirmed.
    ///   - pin: the new PIN: 4 to 6 digits that are not all zero. The caller decides whether to accept other weak PINs;
    ///     see ``PIN/weakness()``.
    /// - Throws: PIN_INPUT_CANCELED for any other PIN, FLOW_ERROR without shares, CRYPTO_ERROR, STORAGE_ERROR; after
    ///   any of these the registration can still be finished. FLOW_ERROR also if another process has continued the
    ///   registration.
    ///
    /// Milagro: `FinishRegistration`
    public mutating func finishRegistration(_ user: User, pin: borrowing PIN) throws(MPinError) {
        try requireHere(user)
        guard user.state == .startedRegistration || user.state == .activated, let mpinID = user.record.mpinID?.bytes
        else { throw user.wrongState }
        try pin.requireUsable()
        var token: SecretBytes?
        let clientSecret: SecretBytes?
        do throws(CryptoError) { clientSecret = try user.pending?.clientSecret() } catch { throw MPinError(error) }
        guard let clientSecret else {
            throw MPinError(.flowError, "The registration has not been confirmed: confirm it first.")
        }
        do throws(CryptoError) {
            let factor = try PINFactor(pin: pin.bytes, scheme: .decimal)
            token = try ClientToken.extract(
                identity: try Identity(mpinID: mpinID), factor: factor, clientSecret: clientSecret)
        } catch { throw MPinError(error) }

        let length = pin.count
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            let before = (user.state, user.record.regOTT)
            user.token = token.take()
            user.record.regOTT = nil
            user.pinScheme = .decimal
            user.record.pinLength = length
            user.state = .registered
            do throws(StoreError) { try RecordFile.write(user, to: client.store) } catch {
                user.token = nil
                user.record.pinLength = nil
                (user.state, user.record.regOTT) = before
                throw MPinError(error)
            }
        }
        user.pending = nil
        user.awaitsFirstLogin = true
    }
}

extension Server {
    /// Fetches the first share of the client secret, with the signed query that fetches the other one.
    ///
    /// - Parameter query: a ``SignatureQuery``, encoded.
    func signature(
        of mpinID: HexText, _ query: ByteText, _ check: AnswerCheck?, until deadline: Deadline
    ) throws(MPinError) -> PendingRegistration {
        var share = try SecretBytes.forShare()
        let path = "/" + mpinID.digits + "?" + query
        let answer = try request(.signature, .signatureURL, path, until: deadline, check: check) {
            body throws(WireError) in
            try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
                try SignatureResponse.decode(body, share: &share)
            }
        }
        guard check == nil || answer.authorityURL != nil else { throw Endpoint.signature.unreadable }
        return PendingRegistration(
            first: share, parameters: ByteText(answer.params),
            authority: check == nil ? nil : answer.authorityURL.map { ByteText($0) })
    }

    /// Fetches the second share of the client secret.
    func clientSecret(of pending: PendingRegistration, until deadline: Deadline) throws(MPinError) -> SecretBytes {
        var share = try SecretBytes.forShare()
        let path = "clientSecret?" + pending.parameters
        do throws(MPinError) {
            if let address = pending.authority {
                let place = secondAuthority(at: address)
                guard let url = place.resolve(address) else { throw Endpoint.signature.unreadable }
                let base = url.bytes.last == UInt8(ascii: "/") ? url : url + "/"
                try connection(to: place).request(.clientSecret, base + path, until: deadline) {
                    body throws(WireError) in try Server.read(body, into: &share)
                }
            } else {
                try request(.clientSecret, .certivoxURL, path, until: deadline) { body throws(WireError) in
                    try Server.read(body, into: &share)
                }
            }
        } catch {
            // Of the second authority, only a late query is known: nothing proves its answers.
            let failure = pending.authority == nil || error.code == .requestExpired ? error : error.withoutProof()
            if let address = pending.authority ?? settings.text(.certivoxURL) { failure.begin(with: address) }
            throw failure
        }
        return share
    }

    private static func read(_ body: Span<UInt8>, into share: inout SecretBytes) throws(WireError) {
        try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
            try ShareResponse.clientSecret.decode(body, share: &share)
        }
    }
}

/// The shares of a client secret while the user chooses the PIN.
///
/// They are kept only in memory: on disk, they would be the secret without a PIN. This is a class so that the user
/// object can lend the shares.
final class PendingRegistration {
    /// The share of the relying party's own authority.
    private let first: SecretBytes

    /// The share of the second authority, once it has answered.
    private var second: SecretBytes?

    /// The signed query for the second authority's share. It is valid for 60 seconds.
    let parameters: ByteText

    /// The second authority's address in a proven answer; nil if that of the settings counts.
    let authority: ByteText?

    init(first: consuming SecretBytes, parameters: ByteText, authority: ByteText?) {
        self.first = first
        self.parameters = parameters
        self.authority = authority
    }

    func complete(with share: consuming SecretBytes) { second = consume share }

    /// Whether both shares are available.
    var isComplete: Bool {
        switch second {
        case .some: true
        case .none: false
        }
    }

    /// The client secret, or `nil` while a share is missing.
    func clientSecret() throws(CryptoError) -> SecretBytes? {
        switch second {
        case .some(let second): try Shares.recombine(first, second)
        case .none: nil
        }
    }
}

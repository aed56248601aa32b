// SPDX-License-Identifier: Apache-2.0
package import MPinWire

// Calls that users make for themselves, each authorized by its own login with a device key.
extension MPinClient {
    /// Logs in and has another registration of the same identity revoked.
    ///
    /// - Parameter mpinID: the M-Pin ID of that registration, or of the one that logs in.
    /// - Throws: HTTP_REQUEST_ERROR if the server knows no such registration, FLOW_ERROR for a Milagro registration.
    package mutating func revoke(
        registration mpinID: HexText, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) { _ = try ask(pending, pin, .revoke(mpinID)) }

    /// Logs in and has another registration of the same identity revoked, by its M-Pin ID in hexadecimal.
    package mutating func revoke(
        registration mpinID: String, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) {
        guard let mpinID = HexText(text: ByteText(mpinID).bytes.span) else {
            throw MPinError(.flowError, "This registration has no M-Pin ID.")
        }
        try revoke(registration: mpinID, by: pending, pin: pin)
    }

    /// Logs in and lists the user's devices.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as ``finishAuthentication(_:pin:)``, and FLOW_ERROR for a registration without a device key.
    ///
    /// Milagro: none
    public mutating func devices(
        by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> OwnDevices {
        let answer = try ask(.devices, pending, pin)
        guard let devices = answer.devices else { throw MPinClient.incomplete }
        noteBackupCodes(answer.backupCodes, of: pending.user)
        return OwnDevices(
            devices: devices.map {
                OwnDevice(
                    number: $0.number, name: $0.name, state: $0.state, created: $0.created, isCurrent: $0.isCurrent)
            }, backupCodes: answer.backupCodes ?? 0)
    }

    /// Logs in and revokes one of the user's devices.
    ///
    /// - Parameters:
    ///   - number: the device's number, from ``devices(by:pin:)``.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as ``devices(by:pin:)``, FLOW_ERROR for a number below 1, and HTTP_REQUEST_ERROR if there is no such
    ///   device.
    ///
    /// Milagro: none
    public mutating func revokeDevice(
        _ number: Int, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) {
        guard number > 0 else { throw MPinError(.flowError, "The number of a device is at least 1.") }
        _ = try ask(.revokeDevice(number), pending, pin)
    }

    /// Logs in and creates an invitation code for another device. It replaces an unused one.
    ///
    /// - Parameters:
    ///   - seconds: how long the code is valid, 60 to 3600 seconds; `nil` for the server's default of 15 minutes.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as ``devices(by:pin:)``, FLOW_ERROR for another time, and HTTP_REQUEST_ERROR if this device or its
    ///   user has been revoked.
    ///
    /// Milagro: none
    public mutating func invite(
        seconds: Int? = nil, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> OwnInvitation {
        guard 60...3600 ~= seconds ?? 60 else {
            throw MPinError(.flowError, "An invitation must be valid for 60 to 3600 seconds.")
        }
        let answer = try ask(.invite(seconds: seconds), pending, pin)
        guard let code = answer.code, let expires = answer.expires else { throw MPinClient.incomplete }
        return OwnInvitation(code: code, expires: expires)
    }

    /// Logs in and creates backup codes. With one of them, a user without a working device registers again without an
    /// administrator.
    ///
    /// They become valid with ``confirm(_:by:pin:)``, once the user has written them down.
    /// - Parameters:
    ///   - count: the number of codes, 1 to 20.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as ``devices(by:pin:)``, FLOW_ERROR for another number of codes, and HTTP_REQUEST_ERROR if the server
    ///   has no backup codes.
    ///
    /// Milagro: none
    public mutating func makeBackupCodes(
        count: Int, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> BackupCodes {
        guard 1...20 ~= count else { throw MPinError(.flowError, "The number of backup codes must be 1 to 20.") }
        let answer = try ask(.makeBackupCodes(count), pending, pin)
        guard let codes = answer.codes, let batch = answer.batch, codes.count == count else {
            throw MPinClient.incomplete
        }
        return BackupCodes(codes: codes, batch: batch)
    }

    /// Logs in and makes backup codes valid. Earlier codes become invalid.
    ///
    /// - Parameters:
    ///   - codes: the codes that the user has written down.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: how many codes are valid now.
    /// - Throws: as ``devices(by:pin:)``, and HTTP_REQUEST_ERROR if other codes were created meanwhile.
    ///
    /// Milagro: none
    @discardableResult public mutating func confirm(
        _ codes: BackupCodes, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> Int {
        let answer = try ask(.confirmBackupCodes(codes.batch), pending, pin)
        guard let count = answer.backupCodes else { throw MPinClient.incomplete }
        noteBackupCodes(count, of: pending.user)
        return count
    }

    /// Logs in and ends the session that this registration signed in last, or all sessions of the user.
    ///
    /// Unlike ``logout(_:)``, it needs the PIN, and works in any process and after a restart.
    /// - Parameters:
    ///   - all: whether to end all of the user's sessions.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: how many sessions were ended.
    /// - Throws: as ``devices(by:pin:)``.
    ///
    /// Milagro: none
    public mutating func signOut(
        all: Bool, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> Int {
        let answer = try ask(.signOut(all: all), pending, pin)
        guard let count = answer.count else { throw MPinClient.incomplete }
        return count
    }

    /// Logs in and has the server sign an ssh certificate for a key of this device.
    ///
    /// - Parameters:
    ///   - publicKey: the Base64 of an `ssh-ed25519` public key, as in the second word of a `.pub` file.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: the line of a `-cert.pub` file.
    /// - Throws: as ``devices(by:pin:)``, and IDENTITY_NOT_AUTHORIZED if the server does not let the user log in over
    ///   ssh.
    ///
    /// Milagro: none
    public mutating func sshCertificate(
        for publicKey: String, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> String {
        let key = ByteText(publicKey)
        guard SSHPublicKeyText.isValid(key) else {
            throw MPinError(.flowError, "This is not an ssh key of type ssh-ed25519.")
        }
        try requireHere(pending.user)
        let login: AcceptedLogin
        do throws(MPinError) {
            login = try ask(pending, pin, .sshCertificate(key))
        } catch {
            guard error.cause == .unmet else { throw error }
            throw MPinError(
                .identityNotAuthorized, "The server does not let this user log in over ssh.",
                pinChecked: error.pinChecked, httpStatus: error.httpStatus, cause: error.cause)
        }
        guard let certificate = login.answer.text(.sshCertificate) else { throw MPinClient.incomplete }
        return certificate.string
    }

    private mutating func ask(
        _ action: OwnerAction, _ pending: borrowing PendingAuthentication, _ pin: borrowing PIN
    ) throws(MPinError) -> OwnerResponse {
        try requireHere(pending.user)
        let login = try ask(pending, pin, .owner(action))
        do throws(WireError) { return try OwnerResponse.decode(login.answer.raw.bytes.span) } catch {
            throw MPinClient.incomplete
        }
    }

    /// Logs in for a purpose that the server may refuse although the PIN is right. After such a refusal, it counts wrong
    /// PINs from the beginning, as after a login. The module makes no such login.
    private mutating func ask(
        _ pending: borrowing PendingAuthentication, _ pin: borrowing PIN, _ purpose: DirectPurpose
    ) throws(MPinError) -> AcceptedLogin {
        let user = pending.user
        do throws(MPinError) { return try logIn(pending, as: user, pin: pin, purpose) } catch {
            guard error.pinChecked == .yes, error.httpStatus == DirectRefusal.unmet.rawValue else { throw error }
            user.attemptsLeft = nil
            pending.cache.change { $0.attemptsLeft = nil }
            pending.cache.write(to: store)
            forgetAttempts(at: user)
            throw MPinError(
                error.code, error.sentence, pinChecked: .yes, httpStatus: error.httpStatus, cause: .unmet)
        }
    }

    /// The error for a login that succeeded but whose answer lacks the requested data.
    private static var incomplete: MPinError {
        MPinError(
            .responseParseError, "The server's answer does not follow the protocol.",
            pinChecked: Endpoint.authenticate.pinChecked(.understood))
    }
}

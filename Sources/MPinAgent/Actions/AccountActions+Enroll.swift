// SPDX-License-Identifier: Apache-2.0
package import MPin
internal import MPinConfiguration
internal import MPinCrypto

// Enrolling with a code of 16 symbols, at a server that admits registrations by such codes alone: then every code goes
// back to one that an administrator made. If a mailed code were enough, here or for a device that then makes a code, a
// program that reads the user's mail could choose a PIN with which sudo needs no password.
extension AccountActions {
    /// Enrolls the account at the configured server, unless it is enrolled anywhere.
    func enroll(_ device: String) throws(ActionFailure) -> ActionFields {
        guard let server = records.server else {
            throw ActionFailure(.notPermitted, texts: ["No server is configured."])
        }
        // The caller chooses the code, so it does not prove the server to root: an attacker on the way may know the
        // code too. Neither does a certificate, because the caller may have one.
        let key = records.configuration.serverKey
        guard server.hasPrefix("unix:") || key != nil else {
            throw ActionFailure(
                .notPermitted, texts: ["mpin.conf has no server_key, so only root can enroll an account at \(server)."])
        }
        do throws(ActionFailure) { try requireNone(in: records.open()) } catch  where error.kind == .store {
            // The store, or its part for this account, may not exist yet.
            switch error.storeError {
            case .noStore, .notEnrolled: break
            default: throw error
            }
        }
        let code = try enrollmentCode(records.identity)
        let pin = try newPIN(ActionQuestion(.newPIN, for: records.identity))
        let turn = try records.turn(create: true)
        return try withExtendedLifetime(turn) { () throws(ActionFailure) in
            var client = try records.open(create: true)
            try requireNone(in: client)
            try requireRoom(in: client)
            var abandoned: [String] = []
            if let unfinished = try records.registration(in: client) { abandoned = try client.discard(unfinished) }
            let user = try register(
                client.makeUser(records.identity, deviceName: device), &client, at: server, key, code, pin)
            do throws(MPinError) {
                let pending = try client.startAuthentication(user)
                _ = try client.finishAuthentication(pending, pin: pin)
            } catch { throw records.failure(error, of: user) }
            // A failure does not affect the new registration.
            if !abandoned.isEmpty { _ = client.revoke(abandoned, inFavorOf: user, pin: pin) }
            return login(user, &client, pin)
        }
    }

    /// Replaces the account's registration with a new one at the same server, whose key is known.
    func recover(_ device: String) throws(ActionFailure) -> ActionFields {
        let old = try recoverable()
        let code = try enrollmentCode(old.identity)
        let pin = try newPIN(ActionQuestion(.newPIN, for: old.identity))
        let turn = try records.turn(create: false)
        return try withExtendedLifetime(turn) { () throws(ActionFailure) in
            let old = try recoverable()
            try requireRoom(in: records.open(), forRecovery: true)
            var target = AccountRecords(records, of: old.summary)
            if old.keyPlace == .tpm { target.transport.newKey = .tpmIfUsable }
            var staged = try target.open(.staging, create: true)
            do throws(MPinError) { try staged.discardLeftovers() } catch { throw ActionFailure(.call, error: error) }
            var abandoned: [String] = []
            let unfinished = try target.registration(in: staged)
            let user: User
            if let unfinished, unfinished.state == .registered, unfinished.lastRefusal != .revoked {
                // Only its first login is missing. The code that made it is used up, and this one stays valid.
                user = unfinished
                do throws(MPinError) { try staged.selectBackend(user.backend) } catch {
                    throw ActionFailure(error, at: user.backend)
                }
            } else {
                if let unfinished { abandoned = try staged.discard(unfinished) }
                user = try register(
                    staged.makeUser(old.identity, deviceName: device.isEmpty ? old.deviceName : device), &staged,
                    at: old.backend, old.serverKeyText, code, pin)
            }
            let isRevoked: Bool
            do throws(MPinError) { isRevoked = try staged.recover(user, pin: pin, abandoned: abandoned) } catch {
                throw ActionFailure(.firstLogin, user.summary, error: error)
            }
            let replaced: ReplacedRegistrations = isRevoked ? .none : .left
            var fields = ActionFields()
            fields.add(user.summary)
            fields.add(replaced.rawValue)
            fields.add(isRevoked)
            return fields
        }
    }

    // MARK: Conditions

    /// Makes sure that the account is not enrolled, with any identity at any server.
    private func requireNone(in client: borrowing MPinClient) throws(ActionFailure) {
        guard client.recordsSetAside == 0 else { throw ActionFailure(client.isPutAside ? .putAside : .damagedRecord) }
        for user in client.allUsers where user.state == .registered || user.state == .blocked {
            throw ActionFailure(.enrolledAlready, user.summary)
        }
    }

    /// Makes sure that the records have room for a new registration, before the server makes one.
    private func requireRoom(in client: borrowing MPinClient, forRecovery: Bool = false) throws(ActionFailure) {
        do throws(MPinError) { if try client.hasRoom(forRecovery: forRecovery) { return } } catch {
            throw ActionFailure(.call, error: error)
        }
        throw ActionFailure(.store, store: .full)
    }

    private func recoverable() throws(ActionFailure) -> User {
        let old = try records.existing(in: records.open())
        guard old.state == .registered || old.state == .blocked else { throw ActionFailure(.cannotLogIn, old.summary) }
        guard old.hasDeviceKey else {
            throw ActionFailure(.notPermitted, texts: ["The enrollment of \(old.identity) has no device key."])
        }
        return old
    }

    private func enrollmentCode(_ identity: String) throws(ActionFailure) -> RegistrationCode {
        let typed = try caller.ask(ActionQuestion(.code, for: identity))
        // Without such a code, the server would decide how the identity is verified.
        let text = typed.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
        guard let code = RegistrationCode(invitation: text) else { throw ActionFailure(.refusedCode) }
        return code
    }

    // MARK: Steps

    /// Makes a registration with a token. The PIN is there before the shares are fetched, because the server issues them
    /// once.
    ///
    /// - Parameter key: the fingerprint that the server's key must have; nil if the code alone proves it.
    private func register(
        _ user: User, _ client: inout MPinClient, at server: String, _ key: String?,
        _ code: RegistrationCode, _ pin: borrowing PIN
    ) throws(ActionFailure) -> User {
        do throws(MPinError) {
            try client.setBackend(
                server, enrolling: user.identity, code, serverKey: key.flatMap { KeyFingerprint($0) })
            try client.startRegistration(user, code, serverKey: key)
        } catch {
            throw error.code == .identityNotAuthorized
                ? ActionFailure(.refusedCode, error: error, texts: [server, user.identity])
                : ActionFailure(error, at: server)
        }
        guard user.state == .activated, user.serverKeySource == .invitation else {
            // The server verifies the identity in another way, by mail or by a hook.
            _ = try client.discard(user)
            throw ActionFailure(.unprovenCode, texts: [server])
        }
        guard user.isAdmittedByCodesOnly else {
            _ = try client.discard(user)
            throw ActionFailure(
                .notPermitted,
                texts: ["\(server) also enrolls devices without a code, so only root can enroll an account there."])
        }
        do throws(MPinError) {
            try client.confirmBoth(user)
            try client.finishRegistration(user, pin: pin)
        } catch { throw ActionFailure(error, of: user) }
        return user
    }
}

extension MPinClient {
    /// Deletes an unfinished registration locally.
    ///
    /// - Returns: its M-Pin ID, for the server to revoke once a new registration can log in.
    package mutating func discard(_ unfinished: User) throws(ActionFailure) -> [String] {
        let (mpinID, isRevoked) = (unfinished.mpinID, unfinished.lastRefusal == .revoked)
        do throws(MPinError) { try deleteUser(unfinished) } catch { throw ActionFailure(.call, error: error) }
        return isRevoked || mpinID.isEmpty ? [] : [mpinID]
    }
}

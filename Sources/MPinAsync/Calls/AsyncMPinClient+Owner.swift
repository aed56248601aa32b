// SPDX-License-Identifier: Apache-2.0
public import MPin

// Calls that users make for themselves, each authorized by its own login with a device key.
extension AsyncMPinClient {
    /// Logs in and lists the user's devices; see ``/MPin/MPinClient/devices(by:pin:)``.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as there.
    public nonisolated func devices(
        by pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> OwnDevices {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.devices(by: login, pin: pin)
        }
    }

    /// Logs in and revokes one of the user's devices; see ``/MPin/MPinClient/revokeDevice(_:by:pin:)``.
    ///
    /// - Parameters:
    ///   - number: the device's number.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as there.
    public nonisolated func revokeDevice(
        _ number: Int, by pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.revokeDevice(number, by: login, pin: pin)
        }
    }

    /// Logs in and creates an invitation code for another device; see ``/MPin/MPinClient/invite(seconds:by:pin:)``.
    ///
    /// - Parameters:
    ///   - seconds: how long the code is valid.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as there.
    public nonisolated func invite(
        seconds: Int? = nil, by pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> OwnInvitation {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.invite(seconds: seconds, by: login, pin: pin)
        }
    }

    /// Logs in and creates backup codes; see ``/MPin/MPinClient/makeBackupCodes(count:by:pin:)``.
    ///
    /// - Parameters:
    ///   - count: the number of codes.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as there.
    public nonisolated func makeBackupCodes(
        count: Int, by pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> BackupCodes {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.makeBackupCodes(count: count, by: login, pin: pin)
        }
    }

    /// Logs in and makes backup codes valid; see ``/MPin/MPinClient/confirm(_:by:pin:)``.
    ///
    /// - Parameters:
    ///   - codes: the codes that the user has written down.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: how many codes are valid now.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func confirm(
        _ codes: BackupCodes, by pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> Int {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.confirm(codes, by: login, pin: pin)
        }
    }

    /// Logs in and ends the session that this registration signed in last, or all sessions of the user; see
    /// ``/MPin/MPinClient/signOut(all:by:pin:)``.
    ///
    /// - Parameters:
    ///   - all: whether to end all of the user's sessions.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: how many sessions were ended.
    /// - Throws: as there.
    public nonisolated func signOut(
        all: Bool, by pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> Int {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.signOut(all: all, by: login, pin: pin)
        }
    }

    /// Logs in and has the server sign an ssh certificate; see ``/MPin/MPinClient/sshCertificate(for:by:pin:)``.
    ///
    /// - Parameters:
    ///   - publicKey: the Base64 of an `ssh-ed25519` public key.
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: the line of a `-cert.pub` file.
    /// - Throws: as there.
    public nonisolated func sshCertificate(
        for publicKey: String, by pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> String {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.sshCertificate(for: publicKey, by: login, pin: pin)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The extensions of the protocol of 2016 that a server may name in its settings.
///
/// This is the only place where their names are spelled. A client uses an extension only if the server names it.
package enum ProtocolExtension: Constant, CaseIterable, Sendable {
    /// Pass 1 has a name, so two logins of a registration may overlap.
    case passID = "passId"
    /// A registration may have a device key.
    case deviceKey
    /// Logins in one request that the device signs.
    case direct
    /// The second authority is on another host, and its address is used as it is.
    case secondAuthority
    /// The server signs its answers to devices with its key, and takes enrollment codes by their names.
    case proof
    /// Refusals report the remaining tries.
    case attemptsLeft
    /// A login may revoke a registration of the same user.
    case revoke
    /// The details of a waiting session include its requester.
    case requester
    /// Waiting sessions can be rejected.
    case deny
    /// Users manage their own devices, invitations and sessions.
    case owner
    /// A device may ask for the status of its registration.
    case status
    /// Registrations need an invitation code in the server's format.
    case invitationCode
    /// Users can create backup codes.
    case backupCodes
    /// The server verifies registrations by mail.
    case mail
    /// A login may issue an ssh certificate.
    case sshCertificates
}

// SPDX-License-Identifier: Apache-2.0
internal import CTPM
package import MPinServerRoles
package import MPinServerStorage

package struct ServerConfiguration: Sendable {
    /// The settings that the roles use.
    package var roles = RoleConfiguration()
    /// The PostgreSQL database; nil for an SQLite database in the server's directory.
    package var database: PostgreSQLAddress?
    package var databasePasswordFile: String?
    /// Days for which the audit log is kept; 0 for no limit.
    package var auditDays = 400
    /// The proxies whose last `X-Forwarded-For` names the source.
    package var proxies = TrustedProxies()
    /// The addresses to listen on; empty for that of the installed server.
    package var listen: [ListenAddress] = []
    /// PEM file with the certificate chain for the ports.
    package var tlsCertificate: String?
    package var tlsKey: String?
    /// The directory with copies of both for the server's account; nil for none.
    package var tlsCopies: String?
    /// Whether the server signs its certificate with its own key.
    package var selfSigned = false
    /// Connections to each address.
    package var maxConnections = 2_048
    /// Connections of one source to each address.
    package var connectionsPerSource = 128
    /// The TPM that seals the sealing key, in the syntax of CTPM.
    package var tpmDevice = MPIN_TPM_DEVICE
    var logFormat = LogFormat.text
    /// The path of the status socket; nil for none.
    package var statusSocket: String?
    /// The port for health and metrics; nil for none.
    var metricsAddress: ListenAddress?

    package init() {}

    /// The path of the TPM's device; nil for an emulated TPM.
    package var tpmPath: String? {
        var isDevice: Int32 = 0
        let start = unsafe mpin_tpm_path(tpmDevice, &isDevice)
        return isDevice == 0 ? nil : String(decoding: tpmDevice.utf8.dropFirst(Int(start)), as: UTF8.self)
    }
}

internal import Logging
package import MPinServerRoles

/// The settings of a server.
package struct ServerConfiguration: Sendable {
    /// Those that the roles go by.
    package var roles = RoleConfiguration()
    /// Days for which the audit log is kept; 0 for ever.
    package var auditDays = 400
    /// The proxies whose last `X-Forwarded-For` names the source.
    package var proxies = TrustedProxies()
    /// Connections there may be in all.
    package var maxConnections = 2_048
    /// Connections a source may have.
    package var connectionsPerSource = 128
    /// The TPM that the sealing key is sealed to, as CTPM names it.
    package var tpmDevice = "device:/dev/tpmrm0"
    /// How the log is written.
    var logFormat = LogFormat.text
    /// The least that is logged. More detail than `notice` could show the M-Pin IDs in paths.
    var logLevel = Logger.Level.notice
    /// The path of the status socket; nil for none.
    package var statusSocket: String?

    package init() {}
}

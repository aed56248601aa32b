/// Whom to ask about registrations.
package struct HookConfiguration: Sendable {
    /// `https://HOST[:PORT][/PATH]`, or `http://` on this host.
    package var url: String?
    /// CA certificates for that application, in place of the host's.
    package var certificateFile: String?

    package init() {}
}

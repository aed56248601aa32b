/// Whom to ask about registrations.
public struct HookConfiguration: Sendable {
    /// `https://HOST[:PORT][/PATH]`, or `http://` on this host.
    public var url: String?
    /// CA certificates for that application, in place of the host's.
    public var certificateFile: String?

    public init() {}
}

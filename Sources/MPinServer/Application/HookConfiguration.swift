/// Whom to ask about registrations.
public struct HookConfiguration: Sendable {
    /// `https://HOST[:PORT][/PATH]`, or `http://` on this host.
    public var url: String?
    /// CA certificates for that application, in place of the host's.
    public var certificateFile: String?

    public init() {}
}

extension ConfigurationFile {
    /// Sets a key that is about the application that verifies.
    ///
    /// - Parameters:
    ///   - key: in lower case, without `_` and `-`.
    ///   - fault: makes an error that says what was expected.
    /// - Returns: false for any other key.
    static func setHook(
        _ key: String, to value: String, in configuration: inout ServerConfiguration, fault: (String) -> ServerFault
    ) throws(ServerFault) -> Bool {
        switch key {
        case "verifyurl", "rpaverifyuserurl":
            do throws(ServerFault) { _ = try PublicURL.checked(value, at: "") } catch {
                throw fault("https://HOST[:PORT][/PATH], or http:// with a loopback host")
            }
            configuration.hook.url = value
        case "verifycafile": configuration.hook.certificateFile = value
        default: return false
        }
        return true
    }
}

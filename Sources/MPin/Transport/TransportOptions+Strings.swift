internal import MPinWire

extension TransportOptions {
    /// A file with the CA certificates to trust, PEM. `nil` means the system's directory.
    public var caFile: String? {
        get { caFileText?.string }
        set { caFileText = newValue.map { ByteText($0) } }
    }

    /// The account whose server is trusted at a Unix socket, besides root's and the caller's own.
    public var serverUser: String {
        get { serverUserText.string }
        set { serverUserText = ByteText(newValue) }
    }
}

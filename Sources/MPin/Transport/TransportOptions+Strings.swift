// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension TransportOptions {
    /// PEM file with the CA certificates to trust. `nil` means the system's directory.
    public var caFile: String? {
        get { caFileText?.string }
        set { caFileText = newValue.map { ByteText($0) } }
    }

    /// The public keys that the server's certificate may have: `sha256//` and the SHA-256 of the key in Base64,
    /// separated by semicolons. `nil` accepts every key that a trusted CA has certified.
    public var tlsPin: String? {
        get { tlsPinText?.string }
        set { tlsPinText = newValue.map { ByteText($0) } }
    }

    /// The account whose server is trusted at a Unix socket, in addition to root and the caller's own user.
    public var serverUser: String {
        get { serverUserText.string }
        set { serverUserText = ByteText(newValue) }
    }
}

internal import MPinWire

// Failures of the way to a server that programs can say more about.
extension MPinError {
    static var noAuthority: Constant {
        "The file that ca_file names cannot be read, is not safe, or holds no certificate."
    }

    static var foreignPeer: Constant { "The server's socket belongs to another account: see server_user." }

    /// Whether the file of CA certificates is to blame.
    package var isAboutAuthority: Bool { sentence.text == MPinError.noAuthority.text }

    /// Whether somebody else than was expected serves the socket.
    package var isAboutPeer: Bool { sentence.text == MPinError.foreignPeer.text }
}

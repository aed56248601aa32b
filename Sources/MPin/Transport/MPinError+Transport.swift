internal import MPinWire

// Failures of the connection for which programs have advice.
extension MPinError {
    static var noAuthority: Constant {
        "The file that ca_file names cannot be read, is not safe, or holds no certificate."
    }

    static var foreignPeer: Constant { "The server's socket belongs to another account: see server_user." }

    static var unknownIssuer: Constant {
        "The server's certificate is refused: no authority trusted here has issued it, see ca_file."
    }

    static var outOfDate: Constant {
        "The server's certificate is refused: it has expired, or is not valid yet by this machine's clock."
    }

    static var otherName: Constant {
        "The server's certificate is refused: it is for another name than this address."
    }

    static var noTLS: Constant { "The server speaks no TLS at this port." }

    /// The cause of a failure, where an administrator can do something about it.
    package enum Cause: Sendable {
        /// The file of CA certificates.
        case authorityFile
        /// The socket is served by another account than `server_user`.
        case peer
        case unknownIssuer, outOfDate, otherName, noTLS
        /// The disk below the store.
        case fullDisk, readOnlyDisk
    }

    package var cause: Cause? {
        let all: [(Constant, Cause)] = [
            (MPinError.noAuthority, .authorityFile), (MPinError.foreignPeer, .peer),
            (MPinError.unknownIssuer, .unknownIssuer), (MPinError.outOfDate, .outOfDate),
            (MPinError.otherName, .otherName), (MPinError.noTLS, .noTLS),
            (MPinError.fullDisk, .fullDisk), (MPinError.readOnlyDisk, .readOnlyDisk),
        ]
        let text = sentence.text
        for (constant, cause) in all where text == constant.text { return cause }
        return nil
    }
}

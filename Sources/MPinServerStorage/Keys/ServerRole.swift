// SPDX-License-Identifier: Apache-2.0

/// The permanent role of a server in its site. It determines which of the two master shares are in its directory.
package enum ServerRole: String, Sendable {
    /// Both authorities, the relying party and the application on one host.
    case combined
    /// The first authority, the relying party and the application. The second authority is on another host.
    case relyingParty
    /// The second authority alone.
    case authority

    /// The numbers of the authorities whose master shares are in the directory.
    package var shares: [Int] {
        switch self {
        case .combined: [1, 2]
        case .relyingParty: [1]
        case .authority: [2]
        }
    }

    /// The error of a command about users, devices and logins, which an authority does not have.
    package static let withoutUsers = ServerError(
        .configuration, "this directory contains a second authority, which has no users, devices or hosts",
        hint: "Run the command on the host of the relying party.")

    /// The error of `serve` in the directory of an authority.
    package static func isAuthority(_ path: String) -> ServerError {
        ServerError(
            .configuration, "\(path) contains a second authority, not a server that users log in to",
            hint: "To serve it, use: --role authority")
    }

    /// The error of `serve --role authority` in any other directory.
    package static func isNoAuthority(_ path: String) -> ServerError {
        ServerError(
            .configuration, "\(path) does not contain a second authority",
            hint: "Omit --role.\nOr, on another host, run: mpin-server init --role authority --relying-party LINE")
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerRoles
import MPinServerStorage

/// The options of `init` for a server whose two authorities are on two hosts.
struct TwoHostOptions: ParsableArguments {
    @Option(
        name: .customLong("second-authority"),
        help: .value("url", "Address of a second authority on another host, which has the second master share."))
    var secondAuthority: String?

    @Option(help: .value("role", "Create a whole server, or only a second authority.")) var role = ServedRole.server

    @Option(
        name: .customLong("relying-party"),
        help: .value("line", "For an authority: the relying party's public key line, from init --second-authority."))
    var relyingParty: String?

    func kind(publicURL: String?) throws(ServerError) -> NewServer {
        switch role {
        case .server:
            guard relyingParty == nil else {
                throw ServerError(.usage, "--relying-party requires --role authority", hint: "Add: --role authority")
            }
            guard let secondAuthority else { return .combined }
            return try .relyingParty(at: secondAuthority, place: "--second-authority")
        case .authority:
            guard secondAuthority == nil, publicURL == nil else {
                throw ServerError(
                    .usage, "--role authority does not accept --second-authority or --public-url",
                    hint: "Clients learn its address from the relying party.")
            }
            guard let relyingParty else {
                throw ServerError(
                    .usage, "--role authority requires --relying-party",
                    hint: "Give the public key line from 'mpin-server init --second-authority' on the other host.")
            }
            return .authority(try RelyingPartyIdentity(line: relyingParty))
        }
    }
}

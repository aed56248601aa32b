import ArgumentParser
import MPinServer

/// What `init` takes of a server whose two authorities are on two hosts.
struct TwoHostOptions: ParsableArguments {
    @Option(
        name: .customLong("second-authority"),
        help: ArgumentHelp(
            "Leave the second master share to another host: the address by which clients and this host reach it.",
            valueName: "url"))
    var secondAuthority: String?

    @Option(
        help: ArgumentHelp("What is made here: server, or authority for the second authority alone.", valueName: "role")
    )
    var role = ServedRole.server

    @Option(
        name: .customLong("relying-party"),
        help: ArgumentHelp(
            "For an authority: the line that init --second-authority has printed on the other host.", valueName: "line")
    )
    var relyingParty: String?

    func kind(publicURL: String?) throws(ServerFault) -> NewServer {
        switch role {
        case .server:
            guard relyingParty == nil else {
                throw ServerFault(.usage, "--relying-party is for --role authority", next: "help init")
            }
            guard let secondAuthority else { return .combined }
            return try .relyingParty(at: secondAuthority, place: "--second-authority")
        case .authority:
            guard secondAuthority == nil, publicURL == nil else {
                throw ServerFault(
                    .usage, "an authority by itself has neither --second-authority nor --public-url",
                    hint: "Clients learn its address from the relying party.")
            }
            guard let relyingParty else {
                throw ServerFault(
                    .usage, "an authority is made for one relying party",
                    hint:
                        "Give --relying-party with the line that 'mpin-server init --second-authority' has printed there."
                )
            }
            return .authority(try RelyingPartyIdentity(line: relyingParty))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

/// The argument of a login for an ssh certificate.
struct SSHCertificatePurposeTests {
    private static let start = "AAAAC3NzaC1lZDI1NTE5AAAAI"
    static let key = start + "Mh0eXKYiT6pQ2kbVlHfZq8Rj9uDwN1oGcSyB3E5xLa7"

    private static func purpose(_ argument: String) throws(WireError) -> DirectPurpose {
        try DirectPurpose(word: "sshCertificate", argument: ByteText(argument))
    }

    @Test(arguments: ["A", "P"])
    func `a key of type ed25519 is the argument, and stays as it is`(_ first: String) throws {
        let key = Self.key(from: Self.start + first)
        let purpose = try Self.purpose(key)
        #expect(purpose == .sshCertificate(ByteText(key)))
        #expect(purpose.word == "sshCertificate" && purpose.argument == ByteText(key))
    }

    /// The valid argument with other characters at the beginning or at the end.
    private static func key(from start: String) -> String { start + String(key.dropFirst(start.utf8.count)) }
    private static func key(to end: String) -> String { String(key.dropLast(end.count)) + end }

    private static let refused: [String] = [
        "", "A", String(key.dropLast()), "\(key)A", "\(key)=", "ssh-ed25519 \(key)",
        key(from: " "), key(to: "\n"), key(to: "-"), key(to: "\0"), key(to: "é"),
        // The length of the key is another one.
        key(from: "\(start)Q"), key(from: "AAAAC3NzaC1lZDI1NTE5AAAAJ"),
        // Other types.
        key(from: "AAAAB3NzaC1yc2EAAAADAQAB"), key(from: "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY"),
        String(repeating: "A", count: 65_536), key(to: String(repeating: "A", count: 60)),
    ]

    @Test(arguments: refused)
    func `any other argument is refused`(_ argument: String) {
        #expect(throws: WireError.invalid(.argument)) { try Self.purpose(argument) }
    }
}

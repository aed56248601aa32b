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
    func `a key of type ed25519 is the argument, and stays as it is`(_ first: Character) throws {
        let key = Self.start + String(first) + Self.key.dropFirst(26)
        let purpose = try Self.purpose(key)
        #expect(purpose == .sshCertificate(ByteText(key)))
        #expect(purpose.word == "sshCertificate" && purpose.argument == ByteText(key))
    }

    private static let refused = [
        "", "A", String(key.dropLast()), key + "A", key + "=", " " + key.dropFirst(), key.dropLast() + "\n",
        key.dropLast() + "-", key.dropLast() + "\0", key.dropLast() + "é", "ssh-ed25519 " + key,
        // The length of the key is 32 to 47 bytes in the first of these, and another one in the second.
        start + "Q" + key.dropFirst(26), "AAAAC3NzaC1lZDI1NTE5AAAAJ" + key.dropFirst(25),
        // Other types.
        "AAAAB3NzaC1yc2EAAAADAQAB" + key.dropFirst(24), "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY" + key.dropFirst(31),
        String(repeating: "A", count: 65_536), key + String(repeating: "A", count: 65_536),
    ]

    @Test(arguments: refused)
    func `any other argument is refused`(_ argument: String) {
        #expect(throws: WireError.invalid(.argument)) { try Self.purpose(argument) }
    }
}

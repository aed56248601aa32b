// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import MPinCrypto
package import MPinServerStorage
internal import MPinWire

/// A plain mail in the form of RFC 5322.
package struct MailMessage: Sendable {
    /// The name next to the sender's address; any text.
    let senderName: String
    /// An address from the configuration, which was checked when it was read.
    let sender: String
    let recipient: MailAddress
    /// Any text. It becomes one line.
    let subject: String
    /// Lines of text, ended by line feeds.
    let body: String
    let time: Timestamp

    package init(
        senderName: String, sender: String, recipient: MailAddress, subject: String, body: String, time: Timestamp
    ) {
        (self.senderName, self.sender, self.recipient, self.subject) = (senderName, sender, recipient, subject)
        (self.body, self.time) = (body, time)
    }

    /// The bytes for a mail server.
    package func encode() throws(CryptoError) -> [UInt8] {
        let domain = sender.split(separator: "@").last ?? "localhost"
        let isPlain = body.utf8.allSatisfy { $0 < 0x80 && ($0 >= 0x20 || $0 == 0x0A) }
        let lines =
            [
                "Date: \(time.text("%a, %d %b %Y %H:%M:%S +0000"))", "From: \(Self.phrase(senderName)) <\(sender)>",
                "To: <\(recipient.text)>",
                "Subject: \(Self.phrase(subject))",
                "Message-ID: <\(HexText(bytes: try Random.bytes(16)).string)@\(domain)>",
                "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=\(isPlain ? "us-ascii" : "utf-8")",
                "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")", "",
            ]
            + (isPlain
                ? body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                : [Self.base64(body, columns: 76).joined(separator: "\r\n")])
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// A name or a subject: plain words as they are, any other text encoded.
    private static func phrase(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
        return isPlain && text.utf8.count <= 60 ? text : encodedWords(text)
    }

    /// The encoded words of RFC 2047. They contain no line end, whatever the text contains.
    private static func encodedWords(_ text: String) -> String {
        var pieces: [String] = [""]
        for character in text.prefix(200) {
            // 45 bytes make 60 characters of the 75 that a word may have.
            if (pieces.last?.utf8.count ?? 0) + character.utf8.count > 45 { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
        return pieces.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    private static func base64(_ text: String, columns: Int) -> [String] {
        let encoded = Array(Data(text.replacingOccurrences(of: "\n", with: "\r\n").utf8).base64EncodedString().utf8)
        return stride(from: 0, to: encoded.count, by: columns).map {
            String(decoding: encoded[$0..<min($0 + columns, encoded.count)], as: UTF8.self)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A mail server of Debian's (python3-aiosmtpd) that puts what it gets into a directory.
final class MailboxPeer: @unchecked Sendable {
    let port = Int.random(in: 10_000..<32_000)
    private let directory = "/tmp/mpin-mailbox-\(UUID().uuidString.prefix(8))"
    private let process: Background

    static let isAvailable: Bool = {
        let found = (try? Run("/usr/bin/python3", ["-I", "-c", "import aiosmtpd.handlers"]).status) == 0
        if !found { print("note: python3-aiosmtpd is not there, and no link of a mail was opened in a browser") }
        return found
    }()

    init() throws {
        process = try Background([
            "/usr/bin/python3", "-I", "-m", "aiosmtpd", "-n", "-l", "127.0.0.1:\(port)", "-c",
            "aiosmtpd.handlers.Mailbox", directory,
        ])
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// The code in the mail to a recipient.
    func code(for recipient: String) async throws -> String {
        try await #require(
            mail(to: recipient).map { $0.trimmingCharacters(in: .whitespaces) }
                .first { $0.wholeMatch(of: #/\d{3} \d{3}/#) != nil })
    }

    /// The lines of the mail to a recipient, as soon as it has arrived.
    func mail(to recipient: String) async throws -> [String] {
        for _ in 0..<1_200 {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory + "/new")) ?? []
            for name in names {
                guard let data = FileManager.default.contents(atPath: directory + "/new/" + name) else { continue }
                let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
                if lines.contains("To: <\(recipient)>") { return lines }
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw WebDriver.Refused(message: "no mail to \(recipient)")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import ManualPages
import Testing

/// The table of settings, and what the manual says of it.
struct ConfigurationKeyTests {
    /// A value that is not the default.
    static func example(_ key: ConfigurationKey) throws -> String {
        let examples = [
            "text": "mpin", "yes or no": "yes", "the path of a file": "/etc/ssl/mpin.pem",
            "https://HOST[:PORT][/PATH], or http:// with a loopback host": "https://login.example.org",
            "smtp://HOST[:PORT] or smtps://HOST[:PORT]": "smtp://mail.example.org", "a mail address": "a@example.org",
            "domains, separated by commas": "example.org,example.com",
            "addresses, separated by commas": "unix:/run/mpin/server.sock,127.0.0.1:8443",
            "postgresql://[USER@]HOST[:PORT][,HOST[:PORT]]/NAME": "postgresql://db.example.org/mpin",
            "ADDRESS:PORT": "127.0.0.1:8711", "invitation, mail or hook": "hook",
            "allow, enrolled or refuse": "enrolled", "starttls or none": "none", "text or json": "json",
            "the absolute path of a socket": "/run/mpin/status.sock",
            "no, or users of this host and IP addresses": "nobody,192.0.2.1,2001:db8::1",
            "device:PATH or swtpm:path=PATH": "device:/dev/tpmrm1",
        ]
        if let example = examples[key.form] { return example }
        let number = try #require(key.form.split(separator: " ").last)
        return key.standard == number ? "1" : String(number)
    }

    @Test func `each default has the form of the values`() throws {
        for key in ConfigurationKey.all where !key.standard.isEmpty {
            #expect(throws: Never.self, "\(key.name)") {
                try ConfigurationFile.parse("\(key.name) = \"\(key.standard)\"", name: "server.conf")
            }
        }
    }

    @Test func `the manual has every setting, with its form, its default and when a change takes effect`() throws {
        let page = try ManualPage("mpin-server.conf.5")
        let items = page.lines.split(separator: ".\\\" table settings")[1].split(separator: ".\\\" end of table")[0]
            .split { $0.hasPrefix(".It ") }
        #expect(page.items(in: "SETTINGS") == ConfigurationKey.all.map { "Cm " + $0.name })
        for (key, item) in zip(ConfigurationKey.all, items) {
            let standard = key.standard.isEmpty ? "there is no default" : "the default is `\(key.standard)`"
            let moment = key.needsRestart ? " A change takes effect at the next start." : ""
            let end = ManualText.lines("The value is \(key.form); \(standard)." + moment)
            #expect(item.count > end.count && item.suffix(end.count).elementsEqual(end), "\(key.name): \(item)")
        }
    }

    @Test func `the manual has every event of the audit log, and no other`() throws {
        let items = try ManualPage("mpin-server.8").items(in: "AUDIT LOG")
        let names = items.flatMap { $0.dropFirst(3).components(separatedBy: " , ") }
        #expect(names.sorted() == AuditKind.allCases.map(\.rawValue).sorted())
    }

    /// Every key takes a value in the one spelling of its name, and no key takes it twice.
    @Test func `any key appears once`() throws {
        for key in ConfigurationKey.all {
            let (name, value) = (key.name, try Self.example(key))
            #expect(throws: Never.self, "\(name) = \(value)") {
                try ConfigurationFile.parse("\(name) = \(value)", name: "server.conf")
            }
            let twice = #expect(throws: ServerError.self) {
                try ConfigurationFile.parse("\(name) = \(value)\n\n\(name)=\(value)", name: "server.conf")
            }
            #expect(twice?.message == "server.conf:3: '\(name)' is set twice")
            let unknown = #expect(throws: ServerError.self) {
                try ConfigurationFile.parse("\(name.uppercased()) = \(value)", name: "server.conf")
            }
            #expect(unknown?.message == "server.conf:1: unknown key '\(name.uppercased())'")
        }
    }

    /// The table also decides which changes a reload applies. Here every key changes.
    @Test func `a reload names every changed setting, and which of them need a restart`() throws {
        let server = try RunningServer()
        let keys = ConfigurationKey.all
        try server.reload(keys.map { try "\($0.name) = \(Self.example($0))\n" }.joined())
        for needsRestart in [false, true] {
            let names = keys.filter { $0.needsRestart == needsRestart }.map(\.name).joined(separator: ", ")
            let told = needsRestart ? "\(names) will take effect after a restart of" : "now in effect: \(names)"
            #expect(becomes { server.logText.contains(told) }, "\(server.logText)")
        }
    }
}

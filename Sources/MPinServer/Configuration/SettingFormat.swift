// SPDX-License-Identifier: Apache-2.0
internal import CTPM
internal import Foundation
internal import MPinServerRoles
internal import MPinServerStorage

/// The format of a setting's values in `server.conf`.
struct SettingFormat<Value>: Sendable {
    /// The form of a value, for messages and documentation: "yes or no".
    let description: String
    /// How to fix a refused value; may be empty.
    var hint = "See: man mpin-server.conf"
    /// Reads a value; nil if it is refused.
    let value: @Sendable (String) -> Value?
    /// A value as it would be written; empty for none.
    let text: @Sendable (Value) -> String
}

extension SettingFormat<Bool> {
    static var flag: Self {
        Self(
            description: "yes or no", value: { $0 == "yes" ? true : $0 == "no" ? false : nil },
            text: { $0 ? "yes" : "no" })
    }
}

extension SettingFormat<Int> {
    static func number(_ range: ClosedRange<Int>) -> Self {
        Self(
            description: "a number from \(range.lowerBound) to \(range.upperBound)",
            value: { Int($0).flatMap { range ~= $0 ? $0 : nil } }, text: { String($0) })
    }
}

extension SettingFormat<String> {
    static var text: Self { Self(description: "text", value: { $0 }, text: { $0 }) }

    /// A name that people see, also on devices.
    static var name: Self {
        Self(
            description: "a name of 1 to 256 bytes",
            hint: "It must not contain invisible characters, or blanks at its ends.",
            value: { UserName.isPrintable($0) ? $0 : nil }, text: { $0 })
    }

    /// A TPM. Nothing else may be named, because other ways to name one would make libtss2 load the named file.
    static var tpmDevice: Self {
        Self(
            description: "device:PATH or swtpm:path=PATH",
            value: { text in
                var isDevice: Int32 = 0
                return unsafe mpin_tpm_path(text, &isDevice) > 0 ? text : nil
            }, text: { $0 })
    }
}

extension SettingFormat<String?> {
    /// A text that is stored as it was written, if it is accepted.
    private static func optional(
        _ description: String, if isGood: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> Self {
        Self(description: description, value: { isGood($0) ? .some($0) : nil }, text: { $0 ?? "" })
    }

    static var optionalText: Self { optional("text") }

    static var file: Self { optional("the path of a file") }
    static var directory: Self { optional("the path of a directory") }

    /// The path of a socket, which must fit into a socket's address.
    static var socket: Self {
        optional("the absolute path of a socket") { $0.hasPrefix("/") && 2...107 ~= $0.utf8.count }
    }

    private static var urlForm: String { "https://HOST[:PORT][/PATH], or http:// with a loopback host" }

    /// The address of this server, stored without trailing slashes. An empty value means "not set".
    static var publicURL: Self {
        Self(
            description: urlForm,
            value: { $0.isEmpty ? .some(nil) : (try? PublicURL.checked($0, at: "")).map { .some($0) } },
            text: { $0 ?? "" })
    }

    /// The address of another program, stored as it was written.
    static var url: Self { optional(urlForm) { (try? PublicURL.checked($0, at: "")) != nil } }

    static var mailServer: Self {
        optional("smtp://HOST[:PORT] or smtps://HOST[:PORT]") { MailServer.Address($0) != nil }
    }

    static var mailAddress: Self { optional("a mail address") { MailAddress($0) != nil } }
}

extension SettingFormat<[String]> {
    static var domains: Self {
        Self(
            description: "domains, separated by commas",
            value: {
                let domains = $0.lowercased().split { $0 == "," || $0 == " " }.map(String.init)
                let isGood = !domains.isEmpty && domains.allSatisfy { MailAddress("x@\($0)") != nil }
                return isGood ? domains : nil
            }, text: { $0.joined(separator: ",") })
    }
}

extension SettingFormat<[ListenAddress]> {
    static var addresses: Self {
        Self(
            description: "addresses, separated by commas",
            hint: "Write unix:PATH, 127.0.0.1:PORT, or 0.0.0.0:PORT and [::]:PORT with TLS.",
            value: { text in
                let words = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                // A blank would become a part of the path of a socket.
                guard !words.contains(where: { $0.contains(where: \.isWhitespace) }) else { return nil }
                let addresses = words.compactMap { try? ListenAddress($0) }
                return addresses.isEmpty || addresses.count < words.count ? nil : addresses
            }, text: { $0.map(\.text).joined(separator: ", ") })
    }
}

extension SettingFormat<PostgreSQLAddress?> {
    static var database: Self {
        Self(
            description: "postgresql://[USER@]HOST[:PORT][,HOST[:PORT]]/NAME",
            hint: "Write the password into a file: database_password_file = FILE",
            value: { PostgreSQLAddress($0).map { .some($0) } }, text: { $0?.text ?? "" })
    }
}

extension SettingFormat<ListenAddress?> {
    /// A port of an address of this host.
    static var port: Self {
        Self(
            description: "ADDRESS:PORT",
            hint: "Write an address of this host that only your monitoring reaches, such as 10.0.0.5:8711.",
            value: { (try? ListenAddress($0)).flatMap { $0.isSocket ? nil : .some($0) } }, text: { $0?.text ?? "" })
    }
}

extension SettingFormat where Value: RawRepresentable<String> & SendableMetatype {
    static func word(_ description: String) -> Self {
        Self(description: description, value: { Value(rawValue: $0) }, text: { $0.rawValue })
    }
}

extension SettingFormat<TrustedProxies> {
    static var proxies: Self {
        Self(
            description: "no, or users of this host and IP addresses",
            hint: "Name the users that the proxies run as, or their IP addresses: trusted_proxy = www-data",
            value: { TrustedProxies($0) }, text: { $0.text })
    }
}

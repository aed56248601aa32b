// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import Foundation
package import MPinServerStorage
internal import SystemFiles

package struct MailServer: Sendable {
    package enum SendResult: Sendable {
        case sent
        /// Permanently refused.
        case refused(status: Int)
        /// Failed for now, and will be retried. The reason is for the log.
        case failed(reason: String)
    }

    /// Its URL, read from the configuration.
    package struct Address: Sendable {
        let url: String
        let isLoopback: Bool

        /// Reads `smtp://HOST[:PORT]` or `smtps://HOST[:PORT]`; nil for anything else.
        package init?(_ text: String) {
            let isProtected = text.hasPrefix("smtps://")
            guard isProtected || text.hasPrefix("smtp://") else { return nil }
            let place = text.dropFirst(isProtected ? 8 : 7)
            let isBracketed = place.hasPrefix("[")
            let end = isBracketed ? place.firstIndex(of: "]").map(place.index(after:)) : place.firstIndex(of: ":")
            let host = place[..<(end ?? place.endIndex)]
            let rest = place[host.endIndex...]
            let number = rest.isEmpty ? (isProtected ? 465 : 587) : rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil
            guard let number, 1...65_535 ~= number, isBracketed ? Self.isLiteral(host) : Self.isHost(host) else {
                return nil
            }
            url = "\(isProtected ? "smtps" : "smtp")://\(host):\(number)"
            let isNumeric = host.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
            isLoopback = host == "localhost" || host == "[::1]" || isNumeric && host.hasPrefix("127.")
        }

        private static func isLiteral(_ text: Substring) -> Bool {
            text.hasSuffix("]")
                && text.dropFirst().dropLast().utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
        }

        private static func isHost(_ text: Substring) -> Bool {
            1...253 ~= text.utf8.count && !text.hasPrefix("-") && !text.hasPrefix(".")
                && text.utf8.allSatisfy {
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-".utf8.contains($0)
                }
        }
    }

    private let url: String
    private let isClear: Bool
    private let user: String?
    private let password: String?
    private let certificateFile: String?
    package let sender: String

    /// Checks the configuration, and reads the password.
    package init(_ configuration: MailConfiguration) throws(ServerError) {
        guard let server = configuration.server, let address = Address(server), let from = configuration.from else {
            throw ServerError(.configuration, "smtp_url or mail_from is not set", hint: "Set both in server.conf.")
        }
        isClear = address.isLoopback
        url = address.url
        sender = from
        user = configuration.user
        password = try configuration.passwordFile.map { path throws(ServerError) in try SecretFile.line(path) }
        certificateFile = configuration.certificateFile
    }

    /// Sends a mail and waits for the server's reply, for 30 seconds at most.
    package func send(_ text: [UInt8], to recipient: MailAddress) -> SendResult {
        if let fault = RegularFile.fault(of: certificateFile) { return .failed(reason: fault.message) }
        var status = 0
        let texts: ArraySlice = [url, user, password, certificateFile, sender, recipient.text]
        let result = unsafe withCStrings(texts) { texts in
            unsafe text.withUnsafeBufferPointer { bytes in
                var mail = unsafe mpin_smtp_mail(
                    url: texts[0], tls: isClear ? MPIN_SMTP_CLEAR : MPIN_SMTP_STARTTLS, user: texts[1],
                    password: texts[2], ca_file: texts[3], sender: texts[4], recipient: texts[5],
                    text: bytes.baseAddress, length: bytes.count, milliseconds: 30_000)
                return unsafe mpin_smtp_send(&mail, &status)
            }
        }
        switch result {
        case MPIN_SMTP_SENT: return .sent
        case MPIN_SMTP_REFUSED: return .refused(status: status)
        case MPIN_SMTP_LATER: return .failed(reason: "the mail server answered \(status)")
        case MPIN_SMTP_UNTRUSTED:
            return .failed(reason: "no TLS with the mail server, or its certificate is not trusted")
        case MPIN_SMTP_NO_LOGIN: return .failed(reason: "the mail server refuses smtp_user")
        case MPIN_SMTP_NO_LIBRARY: return .failed(reason: "libcurl is missing, or cannot send mail")
        default: return .failed(reason: "cannot connect to \(url) (smtp_url in server.conf)")
        }
    }
}

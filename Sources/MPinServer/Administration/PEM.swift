// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The text form of X.509 certificates (RFC 7468).
enum PEM {
    /// - Parameter der: the certificate.
    static func certificate(_ der: [UInt8]) -> String {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----"
    }
}

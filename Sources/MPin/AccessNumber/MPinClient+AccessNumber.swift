// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinWire

extension MPinClient {
    /// The length of the shortest code in a scanned address, in characters. No access number is that long.
    private static let shortestCode = 32

    /// Checks the length and the check digit of an access number, if the server uses them. Sends nothing. The code of a
    /// scanned address has neither, so it passes.
    package func checkAccessNumber(_ accessNumber: ByteText) throws(MPinError) {
        let wrong = MPinError(.incorrectAccessNumber, "This is not an access number: check for a mistyped digit.")
        guard !accessNumber.isEmpty else { throw wrong }
        guard let settings, !MPinClient.isScannedCode(accessNumber.bytes) else { return }
        // Settings without a length may still name a rule for the check digit. It is always the rule for seven digits.
        guard let length = settings.integer(.accessNumberDigits) ?? (settings.integer(.checkSum) ?? 0 != 0 ? 7 : nil)
        else { return }
        let digits = accessNumber.bytes
        guard digits.count == length, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            throw wrong
        }
        guard length == 7, settings.flag(.accessNumberUseCheckSum, default: true) else { return }
        guard AccessNumber.isValid(digits) else { throw wrong }
    }

    /// Whether these are hexadecimal digits and hyphens, and at least as many as in the code of a scanned address.
    private static func isScannedCode(_ bytes: [UInt8]) -> Bool {
        bytes.count >= shortestCode
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Logs in for another session, such as a browser's, that shows an access number or a code to scan.
    package mutating func finishAuthenticationAN(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN, accessNumber: ByteText
    ) throws(MPinError) {
        try requireHere(pending.user)
        guard 1...64 ~= accessNumber.count, accessNumber.isVisible else {
            throw MPinError(.incorrectAccessNumber, "This is not an access number.")
        }
        let answer = try finishAuthentication(
            pending, as: pending.user, pin: pin, final: .accessNumber(accessNumber)
        ).answer
        pending.user.logout = LogoutCall(answer, at: pending.server)
    }
}

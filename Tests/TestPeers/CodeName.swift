// SPDX-License-Identifier: Apache-2.0
import MPinCrypto

/// The name of an enrollment code, which clients send instead of the code.
package enum CodeName {
    /// In hexadecimal; nil for a text of another form.
    package static func of(_ code: String) throws -> String? {
        guard let symbols = EnrollmentCode.symbols(code) else { return nil }
        let digits = try CodeSecret(symbols: symbols).name.flatMap { [$0 >> 4, $0 & 15] }
        return digits.map { String($0, radix: 16) }.joined()
    }
}

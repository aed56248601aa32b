// SPDX-License-Identifier: Apache-2.0
import MPinCrypto

extension KeyFingerprint {
    /// The message about text that is no fingerprint.
    static var form: String {
        "A fingerprint of a server's key has 64 hexadecimal digits. Hyphens, colons and spaces do not count."
    }
}

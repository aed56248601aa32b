// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto

extension CryptoError: CustomStringConvertible {
    /// The reason, for the end of a sentence.
    package var description: String {
        switch self {
        case .libraryUnavailable where CryptoError.isLibraryRestricted:
            "no provider of OpenSSL meets the default properties in openssl.cnf"
        case .libraryUnavailable: "libcrypto.so.3 cannot be loaded: the package libssl3 is missing or too old"
        case .randomUnavailable: "the system provides no random numbers"
        case .memoryUnavailable: "there is not enough memory for secrets"
        case .invalidSeal: "the sealed value was changed, or sealed with another key"
        case .invalidPIN: "the PIN has an invalid form"
        case .invalidPoint, .invalidScalar, .infinity, .invalidDate, .invalidMessage: "a value is invalid"
        }
    }
}

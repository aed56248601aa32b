// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinError {
    /// Converts an error of the cryptography to an error of the SDK.
    @inline(never)
    init(_ error: CryptoError) {
        switch error {
        case .invalidPIN: self.init(.pinInputCanceled, "The PIN has an invalid form.")
        case .randomUnavailable: self.init(.cryptoError, "The system provides no random numbers.", cause: .caller)
        case .memoryUnavailable: self.init(.cryptoError, "There is not enough memory for secrets.", cause: .caller)
        case .libraryUnavailable:
            self.init(
                .cryptoError, "libcrypto.so.3 cannot be loaded: the package libssl3 is missing or too old.",
                cause: .caller)
        case .invalidPoint, .invalidScalar, .infinity, .invalidDate, .invalidMessage, .invalidSeal:
            self.init(.cryptoError, "A value from the server or the store is invalid.")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// A code that admits a registration: an enrollment code, which is never sent, or any text that the application behind
/// a server accepts.
struct RegistrationCode {
    let text: String
    /// The symbols of an enrollment code; nil for another text.
    let symbols: [UInt8]?

    /// - Returns: nil without a code.
    /// - Throws: FLOW_ERROR for a mistyped enrollment code.
    init?(_ text: String?) throws(MPinError) {
        guard let text else { return nil }
        guard !EnrollmentCode.isMistyped(text) else {
            throw MPinError(.flowError, "This is not a valid enrollment code. Check for a mistyped character.")
        }
        (self.text, symbols) = (text, EnrollmentCode.symbols(text))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The requests of an enrollment, by the words in what devices and the server sign.
enum EnrollmentRequest: String {
    case register, restart, signature

    var word: [UInt8] { Array(rawValue.utf8) }
}

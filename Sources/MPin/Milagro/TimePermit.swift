// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

/// The whole time permit of a day.
struct TimePermit: ~Copyable {
    let point: SecretBytes
    let day: PermitDay
}

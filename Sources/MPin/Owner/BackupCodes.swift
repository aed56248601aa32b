// SPDX-License-Identifier: Apache-2.0

/// New backup codes. They replace earlier codes when ``MPinClient/confirm(_:by:pin:)`` makes them valid.
public struct BackupCodes: Sendable {
    /// The codes to write down. Each can be used once.
    public let codes: [String]
    /// The number of this set of codes, which confirms them.
    package let batch: Int

    package init(codes: [String], batch: Int) {
        (self.codes, self.batch) = (codes, batch)
    }
}

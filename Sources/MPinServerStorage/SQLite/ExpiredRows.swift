// SPDX-License-Identifier: Apache-2.0

/// Selects a limited number of expired rows.
package enum ExpiredRows {
    /// Expired registrations that were never completed.
    package static let registrations = """
        SELECT id FROM registration WHERE state IN (0, 1) AND expires <= ? LIMIT ?
        """
    /// Old events of the audit log.
    package static let events = "SELECT id FROM audit WHERE time < ? ORDER BY time LIMIT ?"
}

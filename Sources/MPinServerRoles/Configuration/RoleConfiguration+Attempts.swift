// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

extension RoleConfiguration {
    package var attemptLimits: AttemptLimits {
        AttemptLimits(inARow: maxInvalidLoginAttempts, recent: maxRecentWrongAttempts, days: recentWrongDays)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A registration that was made.
package struct AddedRegistration: Sendable {
    package let state: RegistrationRecord.State
    /// Its number among the registrations of its user.
    package let number: Int
    /// How many backup codes the user has left; nil unless a backup code admitted the registration.
    package let backupCodes: Int?
}

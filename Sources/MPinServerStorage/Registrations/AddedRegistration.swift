/// A registration that was made.
package struct AddedRegistration: Sendable {
    package let state: RegistrationRecord.State
    /// Its number among those of its user.
    package let number: Int
    /// How many backup codes the user has left, where one was used for it.
    package let backupCodes: Int?
}

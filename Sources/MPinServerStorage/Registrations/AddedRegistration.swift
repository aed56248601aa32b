/// A registration that was made.
struct AddedRegistration: Sendable {
    let state: RegistrationRecord.State
    /// Its number among those of its user.
    let number: Int
    /// How many backup codes the user has left, where one was used for it.
    let backupCodes: Int?
}

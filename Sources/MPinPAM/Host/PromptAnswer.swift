/// The result of a prompt.
package enum PromptAnswer: Sendable, Equatable {
    /// A text of at least one character.
    case text
    /// Nothing was typed.
    case empty
    /// More than a PIN can have.
    case tooLong
    /// The PAM conversation failed or was interrupted.
    case failed
}

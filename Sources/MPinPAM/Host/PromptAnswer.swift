/// What came of a question to a person.
package enum PromptAnswer: Sendable, Equatable {
    /// A text of at least one character.
    case text
    /// Nothing was typed.
    case empty
    /// More than a PIN can have.
    case tooLong
    /// There is nobody to ask, or the conversation broke off.
    case failed
}

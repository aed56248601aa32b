// SPDX-License-Identifier: Apache-2.0

/// The result of a prompt.
package enum PromptAnswer: Sendable, Equatable {
    /// A text of at least one character.
    case text
    /// Nothing was typed.
    case empty
    /// The text is longer than any PIN.
    case tooLong
    /// The PAM conversation failed or was interrupted.
    case failed
}

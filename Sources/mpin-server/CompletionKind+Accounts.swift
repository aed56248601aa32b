// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

extension CompletionKind {
    /// The accounts of this machine, which user IDs often are.
    ///
    /// The command contains no colon, because zsh gives colons a meaning, and it quotes what fish would expand.
    static var accounts: CompletionKind { .shellCommand(#"getent passwd | grep -o "^[A-Za-z0-9_.-]*""#) }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

extension CompletionKind {
    /// The accounts of this machine.
    ///
    /// The command has no colon, which zsh would interpret, and quotes what fish would expand.
    static var accounts: CompletionKind { .shellCommand(#"getent passwd | grep -o "^[A-Za-z0-9_.-]*""#) }

    /// The PAM services of this machine.
    static var services: CompletionKind { .shellCommand("ls /etc/pam.d") }
}

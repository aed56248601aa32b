// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

extension CompletionKind {
    /// The accounts of this machine, which user IDs often are.
    ///
    /// The command has no colon, which zsh would interpret, and quotes what fish would expand.
    package static var accounts: CompletionKind { .shellCommand(#"getent passwd | grep -o "^[A-Za-z0-9_.-]*""#) }

    /// The users of this machine's server if the caller may read its database, otherwise the accounts.
    ///
    /// Bash expands the words of a completion, and users choose their IDs. So only IDs without a meaning for a shell
    /// are offered.
    package static var serverUsers: CompletionKind {
        .shellCommand(
            #"mpin-server user list 2>/dev/null | cut -f 2 | grep -m 500 -x "[A-Za-z0-9_][A-Za-z0-9@_.+-]*" "#
                + #"|| getent passwd | grep -o "^[A-Za-z0-9_.-]*""#)
    }

    package static var services: CompletionKind { .shellCommand("ls /etc/pam.d") }
}

extension ArgumentHelp {
    /// - Parameter name: what the value is, as the usage line shows it.
    package static func value(_ name: String, _ abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: name)
    }

    /// The help of an option that few users need: it is in the manual and in `--help-hidden`.
    package static func rare(_ name: String, _ abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: name, visibility: .hidden)
    }
}

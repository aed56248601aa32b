import ArgumentParser

extension CompletionKind {
    /// The accounts of this machine.
    static var accounts: CompletionKind { .shellCommand("getent passwd | cut -d: -f1") }
}

import ArgumentParser

extension CompletionKind {
    /// The accounts of this machine, which user IDs often are.
    static var accounts: CompletionKind { .shellCommand("getent passwd | cut -d: -f1") }
}

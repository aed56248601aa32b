// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto

/// What a ``FileStore`` opens once and uses again: a login reads its files several times.
final class KeptByStore {
    var cache: KeptDirectory?
    var attempts: AttemptDirectory?
    private var page: SecretBytes?

    /// An empty buffer for a file. The caller gives it back.
    func takePage() throws(StoreError) -> SecretBytes {
        if let page = page.take() { return page }
        do { return try SecretBytes(capacity: FileStore.fileLimit) } catch { throw .noMemory }
    }

    func givePage(_ page: consuming SecretBytes) {
        page.withMutableBytes(count: 0) { _ in }
        self.page = consume page
    }
}

/// A directory that stays open.
final class KeptDirectory {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Whether it has been removed since it was opened.
    var isRemoved: Bool { mpin_directory_is_removed(descriptor.number) != 0 }
}

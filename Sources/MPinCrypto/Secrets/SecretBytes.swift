// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// Bytes that must not be copied, dumped or left behind: a PIN, a token, a share, a scalar.
///
/// The bytes are in a page that contains only such bytes. It is locked if the process may lock memory, excluded from core
/// dumps, empty in a forked child, and wiped before it is released. The closures are the only access to the bytes.
package struct SecretBytes: ~Copyable, Sendable {
    private let page: SecretPage
    package private(set) var count: Int

    /// The number of bytes that fit.
    package var capacity: Int { page.size }

    /// Whether the bytes are kept out of swap. Locks the page now if it is not locked yet.
    package var isLocked: Bool { page.isLocked }

    /// - Parameter capacity: the number of bytes to make room for, more than 0.
    package init(capacity: Int) throws(CryptoError) {
        page = try SecretPage(size: capacity)
        count = 0
    }

    /// An empty buffer in the page of another one, if there is room. A page costs four system calls, and stays mapped
    /// until all its buffers are destroyed.
    package init(capacity: Int, beside other: borrowing SecretBytes) throws(CryptoError) {
        page = try SecretPage(size: capacity, beside: other.page)
        count = 0
    }

    /// Lends the bytes for the duration of a call.
    package borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        let start = unsafe page.start.assumingMemoryBound(to: UInt8.self)
        return try unsafe body(UnsafeBufferPointer(start: start, count: count).span)
    }

    /// Lends `count` bytes for writing and makes them the content.
    ///
    /// Existing bytes can still be read and overwritten; bytes after the old content are zero.
    /// - Parameter count: the new length, at most ``capacity``; a larger one is reduced to it.
    package mutating func withMutableBytes<R: ~Copyable, E: Error>(
        count newCount: Int, _ body: (inout MutableSpan<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let length = max(0, min(newCount, page.size))
        let start = unsafe page.start.assumingMemoryBound(to: UInt8.self)
        if length < count { unsafe mpin_wipe(page.start + length, count - length) }
        count = length
        var span = unsafe UnsafeMutableBufferPointer(start: start, count: length).mutableSpan
        return try body(&span)
    }

    /// Lends the address of the bytes and their number to C, for the duration of a call.
    package borrowing func withPointer<R>(_ body: (UnsafePointer<UInt8>, Int) -> R) -> R {
        unsafe body(page.start.assumingMemoryBound(to: UInt8.self), count)
    }

    /// Lends the address of `count` bytes to C for writing, and makes them the content; at most ``capacity``.
    package mutating func withMutablePointer<R>(
        count newCount: Int, _ body: (UnsafeMutablePointer<UInt8>) -> R
    ) -> R {
        withMutableBytes(count: newCount) { _ in }
        return unsafe body(page.start.assumingMemoryBound(to: UInt8.self))
    }

    /// Overwrites the content and makes it empty.
    package mutating func wipe() {
        unsafe mpin_wipe(page.start, page.size)
        count = 0
    }

    /// Returns a second buffer with the same content.
    package borrowing func copy() throws(CryptoError) -> SecretBytes {
        var twin = try SecretBytes(capacity: page.size)
        withBytes { source in
            twin.withMutableBytes(count: source.count) { target in
                for index in source.indices { target[index] = source[index] }
            }
        }
        return twin
    }

    /// Compares the content of two buffers, in a time that depends only on their lengths.
    package borrowing func equals(_ other: borrowing SecretBytes) -> Bool {
        withBytes { mine in
            other.withBytes { theirs in
                guard mine.count == theirs.count else { return false }
                var difference: UInt8 = 0
                for index in mine.indices { difference |= mine[index] ^ theirs[index] }
                return difference == 0
            }
        }
    }
}

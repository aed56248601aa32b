// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

/// An open directory or lock, closed when it is destroyed.
struct Descriptor: ~Copyable {
    private let file: OpenFile

    var number: Int32 { file.number }

    /// Takes ownership of the result of a function that opens a file or directory.
    ///
    /// - Parameter missing: the error if there is no such file.
    init(_ result: Int32, missing: StoreError) throws(StoreError) {
        guard result >= 0 else { throw result == -Int32(MPIN_ENOENT) ? missing : StoreError(code: result) }
        file = OpenFile(result)
    }

    init(_ file: OpenFile) { self.file = file }

    /// Takes ownership of the result of a function that locks.
    init(lock result: Int32) throws(StoreError) {
        try self.init(result, missing: .notEnrolled)
        file.isLocked = true
    }

    /// Opens a directory inside this one that no other user may enter.
    borrowing func enter(_ name: StaticString, create: Bool) throws(StoreError) -> Descriptor {
        let opened = unsafe mpin_directory_enter(number, ByteText(name).cString, create ? 1 : 0)
        return try Descriptor(opened, missing: .notEnrolled)
    }

    /// Reads a file that no other user may read into a buffer, which it has to fit in.
    borrowing func read(_ name: ByteText, into content: inout SecretBytes) throws(StoreError) {
        let othersAny: UInt32 = 0o077
        let capacity = content.capacity
        let count = unsafe content.withMutablePointer(count: capacity) {
            unsafe mpin_file_load(number, name.cString, othersAny, $0, capacity)
        }
        content.withMutableBytes(count: Int(count)) { _ in }
        guard count >= 0 else { throw count == -Int32(MPIN_ENOENT) ? .notEnrolled : StoreError(code: count) }
    }

    /// Replaces a file's content, durably.
    borrowing func replace(_ name: ByteText, with content: borrowing SecretBytes) throws(StoreError) {
        let result = unsafe content.withPointer { unsafe mpin_file_replace(number, name.cString, $0, $1) }
        guard result == 0 else { throw StoreError(code: result) }
    }

    borrowing func remove(_ name: ByteText) throws(StoreError) {
        let result = unsafe mpin_file_remove(number, name.cString)
        guard result == 0 else { throw StoreError(code: result) }
    }

    /// The names of the files in this directory, without hidden ones.
    borrowing func list() throws(StoreError) -> [ByteText] {
        var names: [ByteText] = []
        let result = unsafe withUnsafeMutablePointer(to: &names) { names in
            unsafe mpin_directory_list(number, names) { context, name in
                guard let names = unsafe context?.assumingMemoryBound(to: [ByteText].self), let name = unsafe name
                else { return }
                unsafe names.pointee.append(ByteText(cString: name))
            }
        }
        guard result == 0 else { throw StoreError(code: result) }
        return names
    }
}

/// The number behind a ``Descriptor``, closed when its only owner is destroyed.
///
/// A class only because Embedded Swift cannot see the `deinit` of a noncopyable struct of another module.
final class OpenFile {
    let number: Int32

    /// Whether the descriptor holds a lock. Closing it alone would leave the lock to a child that the host has forked
    /// meanwhile.
    var isLocked = false

    init(_ number: Int32) { self.number = number }

    deinit { if isLocked { mpin_lock_release(number) } else { mpin_descriptor_close(number) } }
}

/// A directory that a ``FileStore`` opens once and uses again.
final class KeptDirectory {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Whether it has been removed since it was opened.
    var isRemoved: Bool { mpin_directory_is_removed(descriptor.number) != 0 }
}

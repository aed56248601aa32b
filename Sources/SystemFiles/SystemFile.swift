// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Glibc

/// An open file, which is closed at the end of the value's life.
package struct SystemFile: ~Copyable, Sendable {
    package let descriptor: Int32
    /// The path in errors.
    package let path: String

    /// - Parameter descriptor: a descriptor that this value closes.
    package init(adopting descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }

    /// Opens a file, or creates it with mode 0600. Never waits for the other end of a named pipe.
    ///
    /// - Parameter name: the path in errors, if it is another one.
    package init(_ path: String, _ flags: Int32 = O_RDONLY | O_NOFOLLOW, named name: String? = nil) throws(FileError) {
        let file = unsafe open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            // A socket, or a named pipe that is opened for writing.
            let step: FileError.Step = errno == ENXIO ? .kind : flags & O_CREAT == 0 ? .open : .create
            throw FileError(name ?? path, step)
        }
        self.init(adopting: file, path: name ?? path)
    }

    deinit { close(descriptor) }

    /// Creates a file that only its owner can access.
    package static func new(_ path: String, named name: String? = nil) throws(FileError) -> SystemFile {
        try SystemFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, named: name)
    }

    /// Opens a file that must be regular: reading a device could block, too.
    package static func regular(_ path: String, _ flags: Int32 = O_RDONLY) throws(FileError) -> SystemFile {
        let file = try SystemFile(path, flags)
        guard file.facts?.isFile == true else { throw FileError(path, .kind, SystemError(EINVAL)) }
        return file
    }

    /// The content of a regular file; nil if there is none, if it is unreadable, or if it is larger than the limit.
    package static func load(_ path: String, limit: Int = 1 << 20) -> [UInt8]? {
        guard let file = try? regular(path), let content = try? file.read(upTo: limit + 1), content.count <= limit
        else { return nil }
        return content
    }

    package var facts: FileFacts? { FileFacts(of: descriptor) }

    /// Reads bytes into memory, and fills it unless the file ends.
    ///
    /// - Returns: the number of bytes.
    package func read(into bytes: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            var count = 0
            while count < buffer.count {
                let got = unsafe Glibc.read(
                    descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
                if got < 0 && errno == EINTR { continue }
                if got < 0 { return got }
                if got == 0 { break }
                count += got
            }
            return count
        }
        guard count >= 0 else { throw FileError(path, .read) }
        return count
    }

    /// Reads up to that many bytes; fewer only at the end of the file.
    package func read(upTo limit: Int) throws(FileError) -> [UInt8] {
        // Most files are much smaller than their limit.
        var content: [UInt8] = []
        while content.count < limit {
            var part = [UInt8](repeating: 0, count: min(limit - content.count, 1 << 16))
            var span = part.mutableSpan
            let count = try read(into: &span)
            content += part.prefix(count)
            if count < part.count { break }
        }
        return content
    }

    package func write(_ bytes: Span<UInt8>) throws(FileError) {
        if let cause = Self.write(bytes, to: descriptor) { throw FileError(path, .write, cause) }
    }

    /// Writes the content of a new file, gives it that mode, and waits until both are on the disk.
    func fill(_ bytes: Span<UInt8>, mode: UInt32) throws(FileError) {
        let result = unsafe bytes.withUnsafeBufferPointer {
            unsafe mpin_file_fill(descriptor, mode, $0.baseAddress, $0.count)
        }
        if result != 0 { throw FileError(path, .write, SystemError(-result)) }
    }

    /// Waits until the file or directory is on the disk.
    ///
    /// - Parameter step: the step in the error: `write` if the caller then gives up the file.
    package func sync(_ step: FileError.Step = .confirm) throws(FileError) {
        if fsync(descriptor) != 0 { throw FileError(path, step) }
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: why it failed; nil if it did not.
    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> SystemError? {
        let result = unsafe bytes.withUnsafeBufferPointer {
            unsafe mpin_bytes_write(descriptor, $0.baseAddress, $0.count)
        }
        return result == 0 ? nil : SystemError(-result)
    }
}

/// Why a file could not be read or written.
package struct FileError: Error {
    package enum Step: Sendable {
        case open
        /// It is not a regular file.
        case kind
        case read
        /// A new file could not be created, or another file has its name.
        case create
        case write
        /// The change is in place, but the disk did not confirm it, so a power failure may undo it.
        case confirm
    }

    package let path: String
    package let step: Step
    package let cause: SystemError

    init(_ path: String, _ step: Step, _ cause: SystemError = SystemError()) {
        (self.path, self.step, self.cause) = (path, step, cause)
    }
}

/// The reason why a system call failed.
package struct SystemError: Error {
    package let number: Int32

    package init(_ number: Int32 = errno) { self.number = number }

    package var text: String { unsafe String(cString: strerror(number)) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The memory of another process, as root may read it.
package struct ProcessImage {
    package struct NotReadable: Error {}

    let process: Int32

    package init(process: Int32) { self.process = process }

    /// Whether this process may read the memory of processes that do not allow it: CAP_SYS_PTRACE.
    package static let mayBeRead: Bool = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") } ?? ""
        let digits = line.split(whereSeparator: \.isWhitespace).last ?? ""
        return (UInt64(digits, radix: 16) ?? 0) & 1 << 19 != 0
    }()

    /// Whether some bytes, at least 8, are in its writable memory.
    package func contains(_ needle: [UInt8]) throws -> Bool {
        let file = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw NotReadable() }
        defer { close(file) }
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), ends.count == 2 else { continue }
            var bytes = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
            let size = bytes.count
            let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, size, off_t(ends[0])) }
            // A region may have gone meanwhile.
            if count > 0, bytes.withUnsafeBytes({ Self.contains(needle, in: $0) }) { return true }
        }
        return false
    }

    /// Looks for the last 8 bytes first: they are rare where the needle is random.
    private static func contains(_ needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= needle.count else { return false }
        let last = needle.count - 8
        let word = needle.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: last, as: UInt64.self) }
        for start in 0...(bytes.count - needle.count)
        where bytes.loadUnaligned(fromByteOffset: start + last, as: UInt64.self) == word {
            if bytes[start..<start + needle.count].elementsEqual(needle) { return true }
        }
        return false
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import Testing

@Suite(.serialized)
struct SecretBytesTests {
    /// The flags of the mapping that holds an address, from /proc/self/smaps.
    private func flags(at address: UInt) throws -> [Substring] {
        // Not String(contentsOfFile:), which believes that files of /proc are empty.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("VmFlags:"))
        var inside = false
        for line in text.split(separator: "\n") {
            if let space = line.firstIndex(of: " "), line[..<space].contains("-"), !line[..<space].contains(":") {
                let ends = line[..<space].split(separator: "-").compactMap { UInt($0, radix: 16) }
                inside = ends.count == 2 && ends[0] <= address && address < ends[1]
            } else if inside, line.hasPrefix("VmFlags:") {
                return line.dropFirst(8).split(separator: " ")
            }
        }
        return []
    }

    private func address(_ secret: borrowing SecretBytes) -> UInt {
        secret.withBytes { bytes in unsafe bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    }

    @Test
    func `left out of dumps, wiped on fork`() throws {
        let secret = try Secrets.secret([1, 2, 3])
        let flags = try flags(at: address(secret))
        #expect(flags.contains("dd"))
        #expect(flags.contains("wf"))
        _ = consume secret
    }

    @Test
    func `unmapped when its owner goes`() throws {
        var place: UInt = 0
        do {
            let secret = try SecretBytes(capacity: 64 * 1024)
            place = address(secret)
            let there = try flags(at: place).contains("wf")
            #expect(there)
            _ = consume secret
        }
        let still = try flags(at: place).contains("wf")
        #expect(!still)
    }

    @Test
    func `wiping empties; what is cut off is zero when it comes back`() throws {
        var secret = try Secrets.secret([1, 2, 3, 4, 5, 6])
        secret.withMutableBytes(count: 2) { _ in }
        let cut = secret.count
        #expect(cut == 2)
        secret.withMutableBytes(count: 6) { _ in }
        let content = Secrets.bytes(secret)
        #expect(content == [1, 2, 0, 0, 0, 0])
        secret.wipe()
        let emptied = secret.count
        #expect(emptied == 0)
        secret.withMutableBytes(count: 6) { _ in }
        let rest = Secrets.bytes(secret)
        #expect(rest == [0, 0, 0, 0, 0, 0])
    }

    @Test
    func `lengths are cut to the capacity, and none is refused`() throws {
        var secret = try SecretBytes(capacity: 4)
        secret.withMutableBytes(count: 100) { bytes in
            for index in bytes.indices { bytes[index] = 9 }
        }
        let longest = secret.count
        #expect(longest == 4)
        secret.withMutableBytes(count: -1) { _ in }
        let shortest = secret.count
        #expect(shortest == 0)
        #expect(throws: CryptoError.memoryUnavailable) { _ = try SecretBytes(capacity: 0) }
        #expect(throws: CryptoError.memoryUnavailable) { _ = try SecretBytes(capacity: -5) }
    }

    @Test
    func `copies are apart, equality is of bytes and length`() throws {
        let secret = try Secrets.secret([7, 8, 9])
        var copy = try secret.copy()
        let before = copy.equals(secret)
        #expect(before)
        copy.withMutableBytes(count: 3) { $0[1] = 0 }
        let after = copy.equals(secret)
        #expect(!after)
        let original = Secrets.bytes(secret)
        #expect(original == [7, 8, 9])
        let shorter = try Secrets.secret([7, 8])
        let prefix = shorter.equals(secret)
        #expect(!prefix)
    }
}

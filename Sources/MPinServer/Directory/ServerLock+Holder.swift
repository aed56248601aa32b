// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

extension ServerLock {
    /// The process that holds the lock, from the kernel's list; nil if it is not listed, for example because it is in
    /// another container.
    static func holder(of file: Int32) -> Int32? {
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0,
            let table = try? String(contentsOf: URL(fileURLWithPath: "/proc/locks"), encoding: .utf8)
        else { return nil }
        for line in table.split(separator: "\n") {
            // 1: FLOCK  ADVISORY  WRITE 3151 fe:00:12345 0 EOF
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[5].split(separator: ":").last == "\(facts.st_ino)",
                let process = Int32(fields[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }

    /// The command of this program that a process runs; nil if it is not known.
    static func command(of process: Int32) -> String? {
        guard let line = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline")) else { return nil }
        let words = line.split(separator: 0, omittingEmptySubsequences: false)
        // It may be any text, because the process that holds the lock may be another program.
        guard words.count > 1, !words[1].isEmpty, words[1].count <= 16,
            words[1].allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") })
        else { return nil }
        return String(decoding: words[1], as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

extension ServerLock {
    /// The command of this program that a process runs; nil if it is not known.
    static func command(of process: Int32) -> String? {
        guard let line = SystemFile.load("/proc/\(process)/cmdline") else { return nil }
        let words = line.split(separator: 0, omittingEmptySubsequences: false)
        // It may be any text, because the process that holds the lock may be another program.
        guard words.count > 1, !words[1].isEmpty, words[1].count <= 16,
            words[1].allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") })
        else { return nil }
        return String(decoding: words[1], as: UTF8.self)
    }
}

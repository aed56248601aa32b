// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// The process that holds the lock of a file, from the kernel's list.
struct LockHolder {
    let process: Int
    /// The name of its program; empty if it cannot be read.
    let program: String

    /// - Returns: `nil` if no process holds the lock, or the kernel does not report it.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        else { return nil }
        let inode = String(status.st_ino)
        for line in locks.split(separator: "\n") where !line.contains("->") {
            // 1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", let number = Int(words[4]), number > 0,
                words[5].split(separator: ":").last.map(String.init) == inode
            else { continue }
            let name = (try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)) ?? ""
            (process, program) = (number, String(name.prefix { $0 != "\n" }))
            return
        }
        return nil
    }

    var text: String { program.isEmpty ? "process \(process)" : "\(program) (process \(process))" }

    /// The sentence about the program that prevents a change of the records.
    static func sentence(_ path: String) -> String {
        guard let holder = LockHolder(path) else { return "another program holds the lock \(path)." }
        return "\(holder.text) holds the lock \(path)."
    }
}

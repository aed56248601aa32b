// SPDX-License-Identifier: Apache-2.0

/// The process that holds the lock of a file, from the kernel's list.
package struct LockHolder {
    package let process: Int32

    /// - Returns: nil if no process holds the lock, or if the kernel does not list it, for example because it is in
    ///   another container.
    package init?(_ facts: FileFacts?) {
        guard let facts, let locks = SystemFile.load("/proc/locks") else { return nil }
        for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
            // 1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", let number = Int32(words[4]), number > 0,
                words[5].split(separator: ":").last == "\(facts.identity.number)"
            else { continue }
            process = number
            return
        }
        return nil
    }

    package init?(_ path: String) { self.init(FileFacts(target: path)) }

    package var text: String {
        // The name of its program.
        let name = SystemFile.load("/proc/\(process)/comm")?.prefix { $0 != UInt8(ascii: "\n") } ?? []
        return name.isEmpty ? "process \(process)" : "\(String(decoding: name, as: UTF8.self)) (process \(process))"
    }

    /// The sentence about the program that holds a lock.
    package static func sentence(_ path: String) -> String {
        "\(LockHolder(path)?.text ?? "another program") holds the lock \(path)."
    }
}

/// systemd, which starts the services of most machines.
package enum Systemd {
    package static var isRunning: Bool { FileFacts(target: "/run/systemd/system") != nil }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import PAMStack
import SystemFiles

struct FileChange {
    let service: String
    let path: String
    let content: [UInt8]
    let change: StackBlock.Change

    /// The file to write: in /etc/pam.d, even if the service's file is in the system's directory.
    static func target(_ service: String) -> String { StackReader.directories[0] + "/" + service }

    var target: String { FileChange.target(service) }

    private var isCopy: Bool { path != target }

    private var copy: String { target + ".pam-old" }

    /// The copy of the file before lines are added; `nil` if the system's file stays.
    var backup: String? { isCopy || change.added.isEmpty ? nil : copy }

    /// The difference in the form of `diff -u`.
    var diff: [String] {
        let lines = StackText.split(content).map { String(decoding: $0, as: UTF8.self) }
        let first = max(0, change.position - 3)
        let behind = change.position + change.removed.count
        let last = min(lines.count, behind + 3)
        let count = last - first
        return [
            "--- \(path)", "+++ \(target)",
            "@@ -\(first + 1),\(count) +\(first + 1),\(count - change.removed.count + change.added.count) @@",
        ] + lines[first..<change.position].map { " " + $0 } + change.removed.map { "-" + $0 }
            + change.added.map { "+" + $0 } + lines[behind..<last].map { " " + $0 }
    }

    /// Writes all changes, or none.
    static func write(_ changes: [FileChange]) throws(CommandFailure) {
        var written: [FileChange] = []
        for change in changes {
            do throws(CommandFailure) { try change.write() } catch {
                for earlier in written { try earlier.undo() }
                throw error
            }
            written.append(change)
        }
    }

    private func write() throws(CommandFailure) {
        if let backup { try MachineFile.replace(backup, with: content, like: path) }
        // Without the copy in /etc/pam.d, the system's file applies again.
        let vendor = StackReader.directories[1] + "/" + service
        if change.added.isEmpty, SystemFile.load(vendor) == change.content {
            try MachineFile.remove(target)
        } else {
            try MachineFile.replace(target, with: change.content, like: path)
        }
        // PAM takes the copy for a service. Without M-Pin's lines it is of no use.
        if change.added.isEmpty, SystemFile.load(copy) == change.content { try MachineFile.remove(copy) }
    }

    private func undo() throws(CommandFailure) {
        if isCopy {
            try MachineFile.remove(target)
        } else {
            try MachineFile.replace(target, with: content, like: backup ?? path)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack
import SystemFiles

/// Checks who may change PAM's files: a user who can change them can log in as any user.
struct PAMFilesExamination {
    private(set) var findings: [Finding] = []

    init() {
        let machine = MachineStacks()
        let files = machine.services.flatMap { machine.reader.service($0).files }.map(PAMFilesExamination.resolved)
        let directories = StackReader.directories.map(PAMFilesExamination.resolved) + files.map(FileName.parent)
        var seen: Set<String> = []
        for path in directories + files where seen.insert(path).inserted {
            if let facts = FileFacts(target: path) { examine(path, facts) }
        }
    }

    /// The path without symbolic links: libpam follows them, so the mode of their target counts.
    private static func resolved(_ path: String) -> String {
        guard let whole = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(whole) }
        return unsafe String(cString: whole)
    }

    private mutating func examine(_ path: String, _ facts: FileFacts) {
        let isForeign = facts.owner != 0
        // In a sticky directory such as /tmp, users cannot replace the files of other users.
        let isOpen = facts.isWritableByOthers && !(facts.isDirectory && facts.isSticky)
        guard isForeign || isOpen else { return }
        let name = CommonOptions.quoted(path)
        let commands = [isForeign ? "sudo chown root:root \(name)" : nil, isOpen ? "sudo chmod go-w \(name)" : nil]
        let reason =
            isForeign ? "belongs to \(PAMFilesExamination.owner(facts.owner))" : "is writable by users other than root"
        findings.append(
            Finding(
                "stacks", .fault, "\(path) \(reason). A user who can change it can log in as any user.",
                advice: Advice("Fix it: " + commands.compactMap { $0 }.joined(separator: " && ")),
                repair: isOpen && PAMFilesExamination.isOwn(path)
                    ? ModeRepair(path: path, mode: facts.mode & 0o7755) : nil))
    }

    /// Whether a path is in one of PAM's directories. `--fix` does not change targets of links outside them.
    private static func isOwn(_ path: String) -> Bool {
        StackReader.directories.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    private static func owner(_ user: uid_t) -> String {
        FileFacts.account(user).map { "the account '\($0)'" } ?? "the user \(user)"
    }
}

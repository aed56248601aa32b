// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Console
import Glibc
import SystemFiles

struct Finding {
    enum Grade: String, CaseIterable {
        case ok, warning, fault
        /// This user may not check it, or the check failed.
        case unknown

        /// The word for the grade, after a sign if the terminal can show it.
        func text(isUnicode: Bool) -> String {
            let (sign, word) =
                switch self {
                // A check mark. The sign of a fault is a cross.
                case .ok: ("\u{2713}", "ok")
                case .warning: ("!", "warning")
                case .fault: ("\u{2717}", "FAULT")
                case .unknown: ("?", "unknown")
                }
            return isUnicode ? "\(sign) \(word)" : word
        }
    }

    /// The part of the machine; `area` in the JSON output.
    let area: String
    let grade: Grade
    let sentence: String
    var advice: Advice?
    /// The change that `--fix` may make.
    var repair: ModeRepair?

    init(_ area: String, _ grade: Grade, _ sentence: String, advice: Advice? = nil, repair: ModeRepair? = nil) {
        (self.area, self.grade, self.sentence, self.advice, self.repair) = (area, grade, sentence, advice, repair)
    }
}

/// A new mode for a file that other users can read or write.
struct ModeRepair {
    let path: String
    let mode: mode_t

    /// Sets the mode, unless the directory is unsafe: another user may have put the file there.
    ///
    /// - Returns: whether the mode was set.
    func perform() -> Bool {
        guard let slash = path.lastIndex(of: "/"), let directory = SafeDirectory(String(path[...slash])) else {
            return false
        }
        return directory.setMode(mode, of: String(path[path.index(after: slash)...]))
    }

    var sentence: String { "Set the mode of \(path) to 0\(String(mode, radix: 8))." }
}

/// A directory that no other user can replace: its path contains no links, and only root and the caller can change the
/// names in it and in the directories above it.
struct SafeDirectory: ~Copyable {
    private let directory: SystemFile

    /// - Returns: `nil` if the path is not absolute, or if a directory on it is missing or unsafe.
    init?(_ path: String) {
        let descriptor = unsafe mpin_directory_open(path, 0, 0)
        guard descriptor >= 0 else { return nil }
        directory = SystemFile(adopting: descriptor, path: path)
    }

    /// Whether its mode gives other users no access.
    var isPrivate: Bool { directory.facts?.isAccessibleToOthers == false }

    /// The names in it, sorted; empty if it is unreadable.
    var names: [String] { (try? Directory.names(in: ".", at: directory.descriptor)) ?? [] }

    /// The facts about a file in it. Does not follow links.
    func facts(of name: String) -> FileFacts? { FileFacts(of: name, in: directory.descriptor) }

    /// Sets the mode of a file or directory in it, except of links, files with a second name and files of other users.
    ///
    /// - Returns: whether the mode was set.
    func setMode(_ mode: mode_t, of name: String) -> Bool {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = unsafe openat(directory.descriptor, name, flags)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let facts = FileFacts(of: file), facts.isTrusted,
            facts.isDirectory || facts.isFile && facts.linkCount == 1
        else { return false }
        return fchmod(file, mode) == 0
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import SystemFiles

/// A file or directory of a store with an unsafe owner, mode or type, and the hint for it.
///
/// The hint names a command only for files inside a store; for a path given by mistake it asks for another path.
struct UnsafeFile {
    let sentence: String
    let advice: Advice
    /// The repair, if the mode is the only problem.
    var repair: ModeRepair?

    /// The first unsafe file or directory on the path to an account's records.
    static func find(_ place: StoreLocation) -> UnsafeFile? {
        var path = ""
        for part in place.directory.split(separator: "/").dropLast() {
            path += "/" + part
            if let fault = fault(path, .parent) {
                let problem =
                    if case .mode = fault { "Other users can write to \(path)" } else { "\(path) \(fault.reason)" }
                return UnsafeFile(sentence: problem + ", so a store below it is not safe.", advice: useAnother)
            }
        }
        if let fault = fault(place.directory, .directory) { return judge(store: place.directory, fault) }
        return judge(place.areaDirectory, .directory) ?? judge(place.records, .file)
            ?? judge(place.lock, .file) ?? judge(place.turn, .file)
    }

    private static let useAnother = Advice(
        "Use another directory, with mode 0700: --store DIRECTORY, or 'store = DIRECTORY' in the configuration")

    private enum Role {
        case parent, directory, file

        /// Mode bits that must not be set.
        var forbidden: UInt32 {
            switch self {
            case .parent: 0o022
            case .directory, .file: 0o077
            }
        }

        var kind: UInt32 { self == .file ? S_IFREG : S_IFDIR }
    }

    fileprivate enum Fault {
        case kind(String), owner, mode, links, size

        var reason: String {
            switch self {
            case .kind(let kind): "is \(kind)"
            case .owner: "belongs to another user"
            case .mode: "can be read or changed by other users"
            case .links: "has a second hard link"
            case .size: "is too large"
            }
        }
    }

    /// The fault of the store's own directory. The hint repairs the directory only if it is a store, and otherwise asks
    /// for another.
    private static func judge(store path: String, _ fault: Fault) -> UnsafeFile {
        let isStandard = path == FileStore.standardDirectory
        switch fault {
        case .mode where isStandard || FileFacts(of: path + "/users")?.isDirectory == true, .owner where isStandard:
            return UnsafeFile(
                sentence: "\(path) \(fault.reason).", advice: putRight(path, .directory, fault),
                repair: repair(path, .directory, fault))
        default: return UnsafeFile(sentence: "\(path) is not a usable store: it \(fault.reason).", advice: useAnother)
        }
    }

    private static func judge(_ path: String, _ role: Role) -> UnsafeFile? {
        guard let fault = fault(path, role) else { return nil }
        return UnsafeFile(
            sentence: "\(path) \(fault.reason).", advice: putRight(path, role, fault),
            repair: repair(path, role, fault))
    }

    private static func repair(_ path: String, _ role: Role, _ fault: Fault) -> ModeRepair? {
        guard case .mode = fault else { return nil }
        return ModeRepair(path: path, mode: role == .file ? 0o600 : 0o700)
    }

    private static func putRight(_ path: String, _ role: Role, _ fault: Fault) -> Advice {
        let name = CommonOptions.quoted(path)
        let other = CommonOptions.quoted(path + (fault.isCopied ? ".new" : ".bad"))
        let command =
            switch fault {
            case .kind, .size: "mv \(name) \(other)"
            case .owner: "chown root \(name)"
            case .mode: "chmod \(role == .file ? "0600" : "0700") \(name)"
            case .links: "cp -p \(name) \(other) && mv \(other) \(name)"
            }
        return Advice("Fix it: \(command)")
    }

    private static func fault(_ path: String, _ role: Role) -> Fault? {
        guard let facts = FileFacts(of: path) else { return nil }
        guard facts.kind == role.kind else { return .kind(FileKind.name(facts.kind)) }
        guard facts.isTrusted else { return .owner }
        if facts.mode & role.forbidden != 0, !(role == .parent && facts.owner == 0 && facts.isSticky) { return .mode }
        guard role == .file else { return nil }
        if facts.linkCount > 1 { return .links }
        return facts.size > 65_536 ? .size : nil
    }
}

extension UnsafeFile.Fault { fileprivate var isCopied: Bool { if case .links = self { true } else { false } } }

enum FileKind {
    static func name(_ kind: UInt32) -> String {
        switch kind {
        case S_IFDIR: "a directory"
        case S_IFREG: "a file"
        case S_IFLNK: "a symbolic link"
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFSOCK: "a socket"
        case S_IFIFO: "a pipe"
        default: "not a regular file"
        }
    }

    /// The type of a file that is not a regular one; `nil` for a regular file and for a missing one.
    static func irregular(_ path: String) -> String? { FileFacts(of: path).flatMap { $0.isFile ? nil : name($0.kind) } }
}

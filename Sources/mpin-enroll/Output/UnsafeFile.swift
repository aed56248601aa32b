import Glibc
import MPin

/// The file or directory that somebody else could change, and the command that puts it right.
struct UnsafeFile {
    let sentence: String
    let remedy: String

    /// The first thing on the way to an account's records that is not as it has to be.
    static func find(_ place: StorePlace) -> UnsafeFile? {
        var path = ""
        for part in place.directory.split(separator: "/").dropLast() {
            path += "/" + part
            if let found = judge(path, .parent) { return found }
        }
        return judge(place.directory, .directory) ?? judge(place.areaDirectory, .directory)
            ?? judge(place.records, .file) ?? judge(place.lock, .file)
    }

    /// What puts right a configuration file that others may write.
    static func advice(for fault: ConfigurationFault) -> Advice? {
        guard case .file(let path) = fault.place, let found = judge(path, .configuration) else { return nil }
        return Advice("Put it right: \(found.remedy)")
    }

    private enum Role {
        case parent, directory, file, configuration

        var mode: String {
            switch self {
            case .parent, .configuration: "go-w"
            case .directory: "0700"
            case .file: "0600"
            }
        }

        /// Rights that nobody else may have.
        var forbidden: UInt32 {
            switch self {
            case .parent, .configuration: 0o022
            case .directory, .file: 0o077
            }
        }

        var kind: UInt32 {
            switch self {
            case .parent, .directory: S_IFDIR
            case .file, .configuration: S_IFREG
            }
        }
    }

    private static func judge(_ path: String, _ role: Role) -> UnsafeFile? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == role.kind else {
            if role.kind == S_IFDIR {
                return UnsafeFile(
                    sentence: "\(path) is a link, or not a directory.",
                    remedy: "name the directory itself with --store, or as 'store = ...' in the configuration.")
            }
            return UnsafeFile(sentence: "\(path) is not a regular file.", remedy: "mv \(path) \(path).bad")
        }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            return UnsafeFile(sentence: "\(path) belongs to another user.", remedy: "chown root \(path)")
        }
        let isSticky = role == .parent && status.st_uid == 0 && status.st_mode & S_ISVTX != 0
        if status.st_mode & role.forbidden != 0, !isSticky {
            return UnsafeFile(sentence: "\(path) is open to other users.", remedy: "chmod \(role.mode) \(path)")
        }
        if role == .file, status.st_nlink != 1 {
            return UnsafeFile(
                sentence: "\(path) has a second name.",
                remedy: "cp -p \(path) \(path).new && mv \(path).new \(path)")
        }
        if role.kind == S_IFREG, status.st_size > 65_536 {
            return UnsafeFile(sentence: "\(path) is too large.", remedy: "mv \(path) \(path).bad")
        }
        return nil
    }
}

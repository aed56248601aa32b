import Glibc
import PAMStack

/// The files that pam-auth-update would write, found by running it in a temporary directory: it has no dry run.
struct AuthUpdateRehearsal {
    /// The contents of PAM's shared files after the change, by path.
    let files: [String: [UInt8]]

    private static let profiles = "/usr/share/pam-configs"
    /// The directories that pam-auth-update reads and keeps its state in.
    private static let sources = [StackReader.directories[0], "/var/lib/pam", profiles]

    /// - Parameter verb: `--enable` or `--disable`.
    /// - Returns: `nil` if pam-auth-update failed.
    init?(_ program: String, _ verb: String) {
        var template = Array("/tmp/mpin-pam-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { return nil }
        let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var made = [root]
        defer { for path in made.reversed() { unsafe remove(path) } }
        for directory in AuthUpdateRehearsal.sources {
            var path = root
            for part in directory.split(separator: "/") {
                path += "/" + part
                if unsafe mkdir(path, 0o700) == 0 { made.append(path) }
            }
        }
        for (path, content) in AuthUpdateRehearsal.content {
            made.append(root + path)
            guard AuthUpdateRehearsal.write(content, to: root + path) else { return nil }
        }
        // A separate debconf database, so that the machine's keeps no answers from a rehearsal.
        let answers = root + "/debconf"
        made += [answers, answers + "-old"]
        let status = ChildProgram.run(
            [program, "--root", root, verb, "mpin"], variables: ["DEBCONF_DB_REPLACE=File{\(answers)}"], isSilent: true)
        var files: [String: [UInt8]] = [:]
        for directory in AuthUpdateRehearsal.sources {
            for name in MachineFile.names(in: root + directory) ?? [] {
                let path = directory + "/" + name
                if !made.contains(root + path) { made.append(root + path) }
                guard directory == StackReader.directories[0], name.hasPrefix(AuthUpdateRehearsal.shared) else {
                    continue
                }
                files[path] = MachineFile.load(root + path)
            }
        }
        guard status == 0 else { return nil }
        self.files = files
    }

    private static let shared = "common-"

    /// The files to copy into the directory.
    private static var content: [(path: String, content: [UInt8])] {
        sources.flatMap { directory in
            (MachineFile.names(in: directory) ?? []).filter { directory != sources[0] || $0.hasPrefix(shared) }
                .compactMap { name in
                    let path = directory + "/" + name
                    return MachineFile.load(path).map { (path, $0) }
                }
        }
    }

    private static func write(_ content: [UInt8], to path: String) -> Bool {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        do throws(CommandFailure) { try MachineFile.write(content, to: descriptor, path) } catch { return false }
        return true
    }
}

// SPDX-License-Identifier: Apache-2.0
import Glibc
import PAMStack
import SystemFiles

/// The files that pam-auth-update would write, found by running it in a temporary directory: it has no dry run.
struct AuthUpdateRehearsal {
    /// The contents of PAM's shared files after the change, by path.
    let files: [String: [UInt8]]

    /// Copies what pam-auth-update reads, with the state that it keeps.
    private static let script = """
        cd "$0" && mkdir -p etc/pam.d var/lib usr/share &&
            find /etc/pam.d -name 'common-*' -exec cp -L -t etc/pam.d {} + &&
            cp -RL /var/lib/pam var/lib && cp -RL /usr/share/pam-configs usr/share &&
            exec "$1" --root "$0" "$2" mpin
        """

    /// - Parameter verb: `--enable` or `--disable`.
    /// - Returns: `nil` if pam-auth-update failed.
    init?(_ program: String, _ verb: String) {
        var template = Array("/tmp/mpin-pam-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { return nil }
        let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = ChildProgram.succeeds(["/bin/rm", "-r", "-f", root], isSilent: true) }
        // A separate debconf database, so that the machine's keeps no answers from a rehearsal.
        let hasRun = ChildProgram.succeeds(
            ["/bin/sh", "-c", AuthUpdateRehearsal.script, root, program, verb],
            variables: ["DEBCONF_DB_REPLACE=File{\(root)/debconf}"], isSilent: true)
        guard hasRun else { return nil }
        let directory = StackReader.directories[0]
        let paths = ((try? Directory.names(in: root + directory)) ?? []).map { directory + "/" + $0 }
        files = Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in SystemFile.load(root + path).map { (path, $0) } })
    }
}

// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles

/// Checks who may change the settings of a server on this machine: such a user can log in as any user.
struct ServerSettingsExamination {
    private(set) var findings: [Finding] = []

    private static let file = "/etc/mpin/server.conf"
    /// The server reads the settings in this directory before those in the file.
    private static let directory = file + ".d"

    init() {
        let names = ((try? Directory.names(in: Self.directory)) ?? []).filter { $0.hasSuffix(".conf") }
        for path in [Self.directory] + names.map({ Self.directory + "/" + $0 }) + [Self.file] {
            guard let facts = FileFacts(target: path), facts.isWritableByOthers else { continue }
            findings.append(
                Finding(
                    "server", .fault, "\(path) is writable by users other than its owner.",
                    advice: Advice("Check its content, then run: sudo chmod go-w \(CommonOptions.quoted(path))"),
                    repair: ModeRepair(path: path, mode: facts.mode & 0o7755)))
        }
    }
}

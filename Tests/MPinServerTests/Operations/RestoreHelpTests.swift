// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The messages of `backup` and `restore` when they cannot continue, and the files that they leave behind.
@Suite(.serialized) struct RestoreHelpTests {
    private let server: RunningServer
    /// For backups.
    private let folder: String

    init() throws {
        server = try RunningServer()
        folder = server.directory + "/backups"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func shell(_ script: String) throws -> Program.Result { try Program.run(at: "/bin/sh", ["-c", script]) }

    @Test func `a lost key is asked for, and its copy put back is all that is needed`() throws {
        let key = server.directory + "/state/seal.key"
        #expect(rename(key, key + ".copy") == 0)
        let listed = try Program.run(["user", "list", "--dir", server.directory])
        #expect(listed.code == 78)
        #expect(
            listed.errors.contains("\(key) is missing") && listed.errors.contains("Copy seal.key back"),
            "\(listed.errors)")
        #expect(listed.errors.contains("restore --key") && !listed.errors.contains("mpin-server init"))
        #expect(rename(key + ".copy", key) == 0)
        #expect(try server.command("user", "list").code == 0)
    }

    @Test func `a key that cannot be copied whole leaves nothing that bars the next try`() throws {
        let (file, key) = (folder + "/file", server.directory + "/state/seal.key")
        let command = "\(try Program.path) backup --with-key --dir \(server.directory) \(file)"
        let full = "strace -f -qq -o /dev/null -P \(file).key -e inject=write:error=ENOSPC "
        let refused = try shell(full + command)
        #expect(refused.code == 74 && refused.errors.contains("cannot write \(file).key"), "\(refused.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        #expect(try shell(command).code == 0)
        let copied = try Data(contentsOf: URL(fileURLWithPath: file + ".key"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: key)) == copied)
    }

    /// An image's directory in a container: its file system exchanges only directories that were made since.
    @Test(.enabled(if: geteuid() == 0))
    func `a file system that cannot exchange directories is named, and nothing is changed`() throws {
        #expect(try server.command("backup", folder + "/file").code == 0)
        #expect(server.stop() == 0)
        let program = try Program.path
        let script = """
            mount -t tmpfs none /mnt && mkdir -m 700 /mnt/upper /mnt/work && \
            mount -t overlay -o lowerdir=\(server.directory),upperdir=/mnt/upper,workdir=/mnt/work none \(server.directory)
            \(program) restore \(folder)/file --dir \(server.directory); echo code $?
            \(program) user list --dir \(server.directory); echo code $?; ls \(server.directory)
            """
        let refused = try Program.run(at: "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script])
        #expect(refused.output.hasPrefix("code 74\ncode 0\n"), "\(refused.output)\(refused.errors)")
        #expect(!refused.output.contains("state."), "\(refused.output)")
        #expect(
            refused.errors.contains("cannot exchange two directories")
                && refused.errors.contains("Nothing was changed"),
            "\(refused.errors)")
    }

    @Test(.enabled(if: geteuid() == 0)) func `a full disk is named, and nothing is left on it`() throws {
        let command = "\(try Program.path) backup --dir \(server.directory) \(folder)/file"
        let refused = try Program.run(
            at: "/usr/bin/unshare",
            [
                "--mount", "/bin/sh", "-c",
                "mount -t tmpfs -o size=32k none \(folder) && { \(command); echo code $?; ls -A \(folder); }",
            ])
        #expect(refused.output == "code 74\n", "\(refused.output)")
        #expect(refused.errors.contains("cannot write \(folder)/file"), "\(refused.errors)")
        #expect(refused.errors.contains(": the disk is full\n"), "\(refused.errors)")
        #expect(refused.errors.contains("Nothing was changed.") && refused.errors.contains("df -h \(folder)"))
    }

    /// Runs the command that an error has printed, by a shell in which `mpin-server` is this one.
    private func follow(_ errors: String) throws -> Program.Result {
        let line = try #require(errors.split(separator: "\n").last { $0.hasPrefix("Run: ") })
        return try Program.run(
            at: "/bin/bash",
            ["-c", "mpin-server() { \(try Program.path) \"$@\"; }; \(line.dropFirst("Run: ".count))"])
    }

    private func kept(_ directory: String, _ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix(name + ".before-") }
    }

    @Test func `after a rotation the printed command puts the former key back, and keeps the other`() throws {
        let alice = try server.enroll("alice")
        #expect(try server.command("backup", folder + "/file").code == 0)
        #expect(server.stop() == 0)
        #expect(try server.command("rotate").code == 0)
        let former = try #require(kept(server.directory, "seal.key").first)
        let refused = try Program.run(["restore", folder + "/file", "--dir", server.directory])
        #expect(refused.code == 78 && refused.errors.contains("\(former) is\n"), "\(refused.errors)")
        let restored = try follow(refused.errors)
        #expect(restored.code == 0, "\(refused.errors)\(restored.errors)")
        #expect(try kept(server.directory, "state").count == 1)
        try server.start()
        #expect(try alice.login(at: server.peer).status == 200)
    }

    @Test func `on a new server the key beside the backup is found`() throws {
        #expect(try server.command("backup", folder + "/file", "--with-key").code == 0)
        let other = try Program.run(["init", "--dir", folder + "/other"])
        #expect(other.code == 0, "\(other.errors)")
        let refused = try Program.run(["restore", folder + "/file", "--dir", folder + "/other"])
        #expect(refused.code == 78 && refused.errors.contains("\(folder)/file.key is\n"), "\(refused.errors)")
        let restored = try follow(refused.errors)
        #expect(restored.code == 0, "\(refused.errors)\(restored.errors)")
        #expect(try kept(folder + "/other", "state").count == 1)
    }

    @Test func `a name like an option is restored by the command that is printed`() throws {
        let program = try Program.path
        let taken = try shell("cd \(folder) && exec \(program) backup --dir \(server.directory) -- --file")
        #expect(taken.code == 0, "\(taken.errors)")
        #expect(server.stop() == 0)
        let start = try #require(taken.output.range(of: "mpin-server restore", options: .backwards))
        let line = taken.output[start.upperBound...].split(separator: "\n")[0]
        let restored = try shell("cd \(folder) && exec \(program) restore \(line)")
        #expect(restored.code == 0, "\(line): \(restored.errors)")
    }

    @Test(.enabled(if: geteuid() == 0)) func `if the account cannot read root's backup, the error names sudo`() throws {
        let file = server.directory + ".a file"
        defer { for name in [file, file + ".key"] { unlink(name) } }
        #expect(try server.command("backup", file, "--with-key").code == 0)
        #expect(server.stop() == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: server.directory) {
            try FileManager.default.removeItem(atPath: "\(server.directory)/\(name)")
        }
        #expect(chown(server.directory, 65_534, 65_534) == 0)
        let restore = ["restore", file, "--dir", server.directory]
        let byOwner = try Program.run(
            at: "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", Program.path] + restore)
        #expect(byOwner.code == 77, "\(byOwner.errors)")
        #expect(
            byOwner.errors.contains("Run: sudo mpin-server restore '\(file)' --dir \(server.directory)\n"),
            "\(byOwner.errors)")
        let byRoot = try Program.run(restore)
        #expect(byRoot.code == 0, "\(byRoot.errors)")
        let key = try FileManager.default.attributesOfItem(atPath: server.directory + "/state/seal.key")
        #expect(key[.ownerAccountID] as? Int == 65_534)
    }
}

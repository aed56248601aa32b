internal import CommandSyntax
internal import Foundation
internal import Glibc

/// Keys of before rotations and restorations, which the directory keeps for the backups of their time.
extension ServerDirectory {
    /// Their files.
    var formerKeys: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().map { "\(path)/\($0)" }.filter { name in
            [KeyPlace.file, .tpm].contains { place in
                name.hasPrefix(file(of: place) + ".") && name != file(of: place, next: true)
            }
                && Self.isRegular(name)
        }
    }

    private static func isRegular(_ name: String) -> Bool {
        if case .success(let facts) = FileFacts.of(name) { facts.isFile } else { false }
    }

    /// Reads the key of a file that may have any name: one that holds the key, or one that this machine's TPM has sealed.
    func readKey(keptAs file: String) throws(ServerFault) -> SealKey {
        guard TPMKeyFile.isOne(file) else { return try KeyFile.read(file) }
        return try tpm.open(TPMKeyFile(path: file), path: file)
    }

    /// What leads on where the key that is there is not that of a backup, and a former one is; nil where none is.
    ///
    /// - Parameters:
    ///   - store: the copy of the backup.
    ///   - backup: its file.
    func wayWithFormerKey(_ store: Store, of backup: String) -> String? {
        let former = formerKeys.last { file in
            guard let key = try? readKey(keptAs: file) else { return false }
            return Self.opens(key, store)
        }
        guard let former else { return nil }
        let restore =
            "mpin-server restore --key \(ShellWord.quoted(former)) --dir \(ShellWord.quoted(path)) -- "
            + ShellWord.quoted(backup)
        // One that the TPM has sealed takes the place of another such by itself.
        guard let place = keyPlace, place != .tpm || !TPMKeyFile.isOne(former) else {
            return "Nothing was changed. The key of its time is kept here. Run: \(restore)"
        }
        let present = file(of: place)
        let aside = CopiedFile.unusedName(present, ServerClock.system.now)
        return "Nothing was changed. The key of its time is kept here. Run: "
            + "mv \(ShellWord.operand(present)) \(ShellWord.operand(aside)) && \(restore)"
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerRoles
internal import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// Keys from before rotations and restores, which the directory keeps for the backups of that time.
extension ServerDirectory {
    /// Their files.
    var formerKeys: [String] {
        let names = (try? Directory.names(in: path)) ?? []
        return names.map { "\(path)/\($0)" }.filter { name in
            KeyPlace.allCases.contains { place in
                name.hasPrefix(file(of: place) + ".") && name != file(of: place, next: true)
            } && FileFacts(of: name)?.isFile == true
        }
    }

    /// Reads the key of an open file with any name: one that contains the key, or one that this machine's TPM has sealed.
    func readKey(in file: borrowing SystemFile) throws(ServerError) -> SealKey {
        let isSealed = TPMKeyFile.isOne(file)
        guard lseek(file.descriptor, 0, SEEK_SET) == 0 else {
            throw ServerError(.badInput, "\(file.path) is not a regular file")
        }
        return isSealed ? try tpm.open(TPMKeyFile(file), path: file.path) : try KeyFile.read(file)
    }

    /// The kept keys as text for people.
    var keptKeys: String {
        let kept = formerKeys.map { "\n--key " + ShellWord.quoted($0) }
        return kept.isEmpty ? "" : "\nTo restore an older backup, use one of these keys:" + kept.joined()
    }

    /// Whether a place already contains a key.
    func hasKey(_ key: SealKey, in place: KeyPlace) throws(ServerError) -> Bool {
        let present: SealKey
        do throws(ServerError) { present = try openKey(place) } catch { return false }
        return try present.shownIdentifier == key.shownIdentifier
    }

    /// The error if the present key does not belong to a backup, but the key next to the backup or a former one does.
    ///
    /// - Parameters:
    ///   - input: the backup, with the key next to it.
    ///   - present: what contains the present key, in the message.
    ///   - fault: the error if none does.
    ///   - isRight: whether a key belongs to the backup.
    func otherKey(
        of input: BackupInput, than present: String, _ fault: ServerError, where isRight: (SealKey) -> Bool
    ) -> ServerError {
        let right = ([input.beside] + formerKeys.reversed().map { GivenFile($0) }).first { file in
            guard let key = try? file.readKey(for: self) else { return false }
            return isRight(key)
        }
        guard let right else { return fault }
        let backup = input.backup.path
        let message = "\(present) is not the key of this backup, but \(right.path) is"
        let restore = "restore --key \(ShellWord.operand(right.path)) \(ShellWord.operand(backup))"
        guard let place = keyPlace, place != (right.isSealedKey ? .tpm : .file) else {
            return ServerError(fault.kind, message, next: restore)
        }
        // Only the administrator knows whether the key may move to another kind of place.
        let present = file(of: place)
        let aside = FileName.unused(present, before: ServerClock.system.now)
        return ServerError(
            fault.kind, message,
            hint: "Nothing was changed.\nRun: mv \(ShellWord.operand(present)) \(ShellWord.operand(aside)) && "
                + "mpin-server \(restore) --dir \(ShellWord.quoted(path))")
    }
}

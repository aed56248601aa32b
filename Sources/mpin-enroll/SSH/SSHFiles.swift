// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import SystemFiles

/// The files of the user's certificate and its key, which ssh reads.
struct SSHFiles {
    let directory: String

    var key: String { directory + "/id_mpin" }
    var certificate: String { directory + "/id_mpin-cert.pub" }

    /// The directory of the login session, which exists until logout. Not every system and login has one.
    private static var session: String { "/run/user/\(getuid())" }

    /// The directory with the user's own configuration of ssh; nil for a user without an account. ssh does not use HOME
    /// either.
    static var userDirectory: String? {
        guard let entry = unsafe getpwuid(getuid()), let path = unsafe entry.pointee.pw_dir else { return nil }
        return unsafe String(cString: path) + "/.ssh"
    }

    private init(in directory: String) { self.directory = directory }

    /// The places in which the files of this process's user may be.
    static var all: [SSHFiles] { ([session + "/mpin"] + (userDirectory.map { [$0] } ?? [])).map(SSHFiles.init(in:)) }

    /// The files of this process's user. Their directory may not exist yet.
    init?() {
        let isSessionThere = FileFacts(of: SSHFiles.session)?.isDirectory == true
        guard let files = isSessionThere ? SSHFiles.all.first : SSHFiles.all.dropFirst().first else { return nil }
        self = files
    }

    /// Whether there is a certificate or a key.
    var exist: Bool { FileFacts.isThere(key) || FileFacts.isThere(certificate) }

    /// The files of this process's user, in a directory that other users cannot change.
    static func prepared() throws(CommandFailure) -> SSHFiles {
        guard let files = SSHFiles() else { throw noAccount }
        try makeDirectory(files.directory)
        return files
    }

    /// Creates a directory for the user alone, if it does not exist, and checks who can change it.
    static func makeDirectory(_ path: String) throws(CommandFailure) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw unwritten("\(path) cannot be created: \(SystemError().text).")
        }
        // A home directory may have a link to another place.
        let facts = path == userDirectory ? FileFacts(target: path) : FileFacts(of: path)
        let name = CommonOptions.quoted(path)
        guard let facts, facts.isDirectory, facts.owner == getuid() else {
            throw unwritten("\(path) is not a directory of this user.", Advice("Check it: ls -ld \(name)"))
        }
        guard !facts.isWritableByOthers else {
            throw unwritten("Other users can write to \(path).", Advice("Fix it: chmod go-w \(name)"))
        }
    }

    /// The certificate, if ssh can log in with it now. It may become valid only later by the clock of this machine: hosts
    /// have other clocks, and a new certificate would not be valid earlier.
    var current: SSHUserCertificate? {
        guard let line = SystemFile.load(certificate, limit: 1 << 16), let found = SSHUserCertificate(line),
            found.isCurrent, found.key == SSHKey(ofFile: key)
        else { return nil }
        return found
    }

    /// Stores a certificate. A reader sees the complete old one or the complete new one.
    func store(_ new: SSHUserCertificate) throws(CommandFailure) {
        let text = new.line + "\n"
        try SSHFiles.changing(certificate) { () throws(FileError) in
            try DurableFile.write(text.utf8.span, to: certificate, .replacing)
        }
    }

    /// Changes a file. Does not fail if the change is in place, and only its confirmation by the disk is missing.
    static func changing(_ path: String, _ change: () throws(FileError) -> Void) throws(CommandFailure) {
        do throws(FileError) { try change() } catch {
            guard error.step != .confirm else { return }
            throw unwritten("\(path) cannot be written: \(error.cause.text). Its content is unchanged.")
        }
    }

    /// Locks files in a directory and changes them, so that no other process of this user changes them meanwhile.
    ///
    /// - Parameters:
    ///   - lock: the name of the file whose lock is for these files.
    ///   - waiting: called before this process waits for another one.
    ///   - work: gets whether this process has waited.
    static func inTurn<Result>(
        _ directory: String, lock: String = "mpin.lock", waiting: () -> Void = {},
        _ work: (Bool) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        let lock = try lockFile(directory + "/" + lock)
        var hasWaited = false
        // Without locks in the file system, each process asks for the PIN itself.
        if flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            hasWaited = true
            waiting()
            while flock(lock.descriptor, LOCK_EX) != 0, errno == EINTR {}
        }
        let result = try work(hasWaited)
        withExtendedLifetime(lock) {}
        return result
    }

    /// Opens a file for its lock. Other users cannot open it, because they could then keep the lock.
    private static func lockFile(_ path: String) throws(CommandFailure) -> SystemFile {
        let file: SystemFile
        do throws(FileError) { file = try SystemFile(path, O_RDWR | O_CREAT | O_NOFOLLOW) } catch {
            throw unwritten("\(path) cannot be opened: \(error.cause.text).")
        }
        guard let facts = file.facts, facts.isFile, facts.owner == getuid(), !facts.isAccessibleToOthers else {
            throw unwritten(
                "\(path) is not a private file of this user.", Advice("Delete it: rm \(CommonOptions.quoted(path))"))
        }
        return file
    }

    /// Deletes the certificate and its key.
    func forget() throws(CommandFailure) {
        try SSHFiles.remove(certificate)
        try SSHFiles.remove(key)
    }

    static func remove(_ path: String) throws(CommandFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw unwritten("\(path) cannot be deleted: \(SystemError().text).")
        }
    }

    static func rename(_ path: String, to other: String) throws(CommandFailure) {
        guard unsafe Glibc.rename(path, other) == 0 else {
            throw unwritten("\(other) cannot be written: \(SystemError().text).")
        }
    }

    static var noAccount: CommandFailure {
        CommandFailure(.notEnrolled, "INVALID", "This user has no account, and so no home directory.")
    }

    static func unwritten(_ sentence: String, _ advice: Advice? = nil) -> CommandFailure {
        CommandFailure(.storage, "STORAGE_ERROR", sentence, advice: advice)
    }
}

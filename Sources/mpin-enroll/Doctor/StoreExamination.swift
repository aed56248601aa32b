// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinConfiguration
import SystemFiles

/// Checks the store: who may read it, and whether its disk has space.
struct StoreExamination {
    private(set) var findings: [Finding] = []
    private let store: String

    init(_ configuration: Configuration, accounts: [String]) {
        store = configuration.store
        guard FileFacts.isThere(store) else {
            findings = [Finding("store", .ok, "There is no \(store) yet. The first enrollment creates it.")]
            return
        }
        guard (try? Directory.names(in: store)) != nil else {
            findings = [Finding("store", .unknown, "\(store) may not be read by this user.", advice: Advice.useSudo)]
            return
        }
        for account in accounts.isEmpty ? [""] : accounts { examine(account) }
        for directory in [store, store + "/users"] { examineCopies(directory) }
        examineRoom()
        if findings.isEmpty {
            findings = [Finding("store", .ok, "Only root can read \(store), and its disk has space.")]
        }
    }

    private mutating func examine(_ account: String) {
        let place = StoreLocation(directory: store, account: account)
        guard let found = UnsafeFile.find(place), !findings.contains(where: { $0.sentence == found.sentence }) else {
            return
        }
        findings.append(Finding("store", .fault, found.sentence, advice: found.advice, repair: found.repair))
    }

    /// Finds readable copies of tokens. ``examine(_:)`` checks the program's own files.
    ///
    /// Skips a directory that is open to other users. Another user may have put files there, and a path that was given
    /// by mistake, such as `/etc`, is not a store.
    private mutating func examineCopies(_ path: String) {
        guard let directory = SafeDirectory(path) else { return }
        guard directory.isPrivate else { return }
        for name in directory.names {
            let path = path + "/" + name
            guard let facts = directory.facts(of: name), facts.isFile, facts.isAccessibleToOthers,
                !findings.contains(where: { $0.sentence.hasPrefix(path + " ") })
            else { continue }
            findings.append(
                Finding(
                    "store", .fault, "\(path) is readable by other users and may be a copy of a token.",
                    advice: Advice("Delete it, or run: chmod 0600 \(CommonOptions.quoted(path))"),
                    repair: ModeRepair(path: path, mode: 0o600)))
        }
    }

    private mutating func examineRoom() {
        var file = statvfs()
        guard unsafe statvfs(store, &file) == 0, file.f_blocks > 0 else { return }
        if file.f_flag & UInt(ST_RDONLY) != 0 {
            findings.append(
                Finding(
                    "store", .fault, "The file system of \(store) is read-only.",
                    advice: Advice("Check how it is mounted: findmnt -T \(CommonOptions.quoted(store))")))
        } else if UInt64(file.f_bavail) * UInt64(file.f_frsize) < 256 << 10 {
            findings.append(
                Finding(
                    "store", .fault, "The disk of \(store) is full.",
                    advice: Advice("Free some space. Check: df -h \(CommonOptions.quoted(store))")))
        }
    }
}

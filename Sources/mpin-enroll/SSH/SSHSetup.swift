// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import SystemFiles

/// A change of the user's own configuration of ssh: of `~/.ssh/config` and of the file that it includes.
struct SSHSetup {
    private let directory: String
    private let config: UserFile
    private let included: UserFile
    /// The hosts after the change.
    let client: SSHClientFile

    /// - Parameter patterns: further hosts; nil to undo all of it.
    init(_ directory: String, adding patterns: [SSHPattern]?) throws(CommandFailure) {
        self.directory = directory
        let config = try UserFile(directory + "/config"), included = try UserFile(directory + "/" + SSHClientFile.name)
        guard let before = included.content.map(SSHClientFile.init(reading:)) ?? SSHClientFile() else {
            let name = CommonOptions.quoted(included.path)
            throw SSHFiles.unwritten(
                "\(included.path) is not a file of mpin-enroll. Nothing was changed.",
                Advice("Rename it, then try again: mv \(name) \(name).own"))
        }
        if let patterns {
            client = before.adding(patterns)
            self.config = config.becoming(SSHUserFile.including(config.content ?? []))
            self.included = included.becoming(client.content)
        } else {
            client = SSHClientFile()
            let rest = SSHUserFile.excluding(config.content ?? [])
            // A file that only has our line is one that the setup created.
            self.config = config.becoming(
                rest.isEmpty && config.content?.isEmpty == false ? nil : config.content.map { _ in rest })
            self.included = included.becoming(nil)
        }
    }

    /// The path of a symbolic link, which may lead to a file of another program or machine, so it is not changed.
    var link: String? { [config, included].first { $0.isLink }?.path }

    var isNeeded: Bool { config.isChanged || included.isChanged }

    /// The change, as lines to show.
    var shown: [String] { included.shown + config.shown }

    /// Makes the change. At each moment, the file that the configuration includes is there.
    func make() throws(CommandFailure) {
        if included.isRemoved {
            try config.write()
            try included.write()
        } else {
            try included.write()
            try config.write()
        }
    }

    /// A file and its next content.
    private struct UserFile {
        let path: String
        /// Nil if there is no file.
        let content: [UInt8]?
        private var next: [UInt8]?

        init(_ path: String) throws(CommandFailure) {
            self.path = path
            content = SystemFile.load(path)
            next = content
            guard content != nil || isLink || !FileFacts.isThere(path) else {
                throw SSHFiles.unwritten("\(path) cannot be read, or is larger than a megabyte. Nothing was changed.")
            }
        }

        func becoming(_ next: [UInt8]?) -> UserFile {
            var copy = self
            copy.next = next
            return copy
        }

        var isLink: Bool { FileFacts(of: path)?.isLink == true }
        var isChanged: Bool { next != content }
        var isRemoved: Bool { next == nil && content != nil }

        var shown: [String] {
            guard isChanged else { return [] }
            let old = UserFile.lines(content), new = UserFile.lines(next)
            let added = new.filter { !old.contains($0) }.map { "+" + $0 }
            let removed = old.filter { !new.contains($0) }.map { "-" + $0 }
            return [path + ":"] + removed + added
        }

        private static func lines(_ content: [UInt8]?) -> [String] {
            String(decoding: content ?? [], as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }

        func write() throws(CommandFailure) {
            guard isChanged else { return }
            // The user has agreed to a change of this content, and no other.
            guard SystemFile.load(path) == content else {
                throw SSHFiles.unwritten("\(path) was changed meanwhile. Run the command again.")
            }
            let facts = FileFacts(of: path)
            try SSHFiles.changing(path) { () throws(FileError) in
                guard let next else { return try DurableFile.remove(path) }
                try DurableFile.write(
                    next.span, to: path, .replacing, mode: facts.map { $0.mode & 0o7777 } ?? 0o600, owner: facts)
            }
        }
    }
}

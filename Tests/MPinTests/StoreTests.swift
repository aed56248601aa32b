// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// Files that decide a login, in every state they should not be in.
@Suite struct StoreTests {
    enum Fault: String, CaseIterable, Sendable {
        case link, hardLink, pipe, directory, openMode, huge, empty, otherVersion, cutShort, notJSON
    }

    @Test(arguments: Fault.allCases) func `an unsafe or damaged record is refused and left alone`(_ fault: Fault) throws
    {
        let (fixture, _, _) = try Fixture.enrolled()
        let path = fixture.recordPath
        let content = try fixture.record()
        switch fault {
        case .link:
            try FileManager.default.moveItem(atPath: path, toPath: path + ".real")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".real")
        case .hardLink: #expect(link(path, path + ".second") == 0)
        case .pipe:
            unlink(path)
            #expect(mkfifo(path, 0o600) == 0)
        case .directory:
            unlink(path)
            #expect(mkdir(path, 0o700) == 0)
        case .openMode: #expect(chmod(path, 0o666) == 0)
        case .huge: #expect(truncate(path, 1 << 30) == 0)
        case .empty: #expect(truncate(path, 0) == 0)
        case .otherVersion:
            try overwrite(path, content.replacingOccurrences(of: "\"version\":4", with: "\"version\":5"))
        case .cutShort: #expect(truncate(path, off_t(content.utf8.count / 2)) == 0)
        case .notJSON: try overwrite(path, "token")
        }
        var before = stat()
        #expect(lstat(path, &before) == 0)
        #expect(throws: MPinError.self) { _ = try fixture.open() }
        do { _ = try fixture.open() } catch let error as MPinError {
            #expect(error.code == .storageError && error.reason != .missingStore)
        }
        var after = stat()
        #expect(lstat(path, &after) == 0)
        #expect(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
        unlink(path + ".real")
    }

    private func overwrite(_ path: String, _ text: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test func `a directory open to others is refused`() throws {
        let (fixture, _, _) = try Fixture.enrolled()
        #expect(chmod(fixture.store, 0o755) == 0)
        #expect(throws: MPinError.self) { _ = try fixture.open() }
        #expect(chmod(fixture.store, 0o700) == 0)
        #expect(chmod(fixture.directory, 0o777) == 0)
        #expect(throws: MPinError.self) { _ = try fixture.open() }
    }

    @Test(arguments: ["", ".", "..", "a/b", "/etc/passwd", ".hidden", "a\nb", String(repeating: "a", count: 200)])
    func `names that are not file names are refused`(name: String) throws {
        let fixture = try Fixture()
        #expect(throws: MPinError.self) {
            _ = try FileStore(directory: fixture.store, account: name, create: true)
        }
    }

    @Test func `a relative store or one behind a link is refused`() throws {
        let fixture = try Fixture()
        #expect(throws: MPinError.self) { _ = try FileStore(directory: "store", account: "alice", create: true) }
        try FileManager.default.createSymbolicLink(
            atPath: fixture.directory + "/link", withDestinationPath: fixture.directory)
        #expect(throws: MPinError.self) {
            _ = try FileStore(directory: fixture.directory + "/link/store", account: "alice", create: true)
        }
    }

    @Test func `everything is closed to others and holds no PIN`() throws {
        let (fixture, client, user) = try Fixture.enrolled(pin: "804713")
        try client.logIn(user, "804713")
        let names = try #require(FileManager.default.enumerator(atPath: fixture.store)).compactMap { $0 as? String }
        #expect(names.contains("users/alice.json") && names.contains("cache/alice.json"))
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.store + "/" + name)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(name) is open to others")
            if attributes[.type] as? FileAttributeType == .typeRegular {
                let text = try String(contentsOfFile: fixture.store + "/" + name, encoding: .utf8)
                #expect(!text.contains("804713") && !text.contains("regOTT"))
            }
        }
    }

    @Test(arguments: [0, 1, 3, 99]) func `a cache of another version counts as missing`(version: Int) throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        let cache = try String(contentsOfFile: fixture.cachePath, encoding: .utf8)
        let other = cache.replacingOccurrences(of: "\"version\":2", with: "\"version\":\(version)")
        #expect(other != cache)
        try overwrite(fixture.cachePath, other)
        let again = Client(try fixture.open())
        try again.mpin.selectBackend(fixture.server.url)
        fixture.server.forget()
        try again.logIn(try again.first(), "4962")
        #expect(fixture.server.requests.contains("GET /rps/clientSettings"))
        #expect(try String(contentsOfFile: fixture.cachePath, encoding: .utf8).contains("\"version\":2"))
    }

    @Test func `the last user takes the file along`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.mpin.deleteUser(user)
        #expect(!FileManager.default.fileExists(atPath: fixture.recordPath))
        #expect(try fixture.open().isNewAccount)
    }
}

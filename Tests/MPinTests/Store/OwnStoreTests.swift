// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// Stores of an application's own.
@Suite struct OwnStoreTests {
    private func open(
        _ fixture: Fixture, _ store: any RegistrationStore, _ area: FileStore.Area = .users
    ) throws -> Client {
        var options = TransportOptions()
        options.acceptsOldServer = true
        let client = Client(try MPinClient(store: store, area: area, options: options))
        try client.mpin.setBackend(fixture.server.url)
        return client
    }

    private func enrolled(_ fixture: Fixture, _ store: any RegistrationStore) throws -> (Client, User) {
        let client = try open(fixture, store)
        let user = client.mpin.makeUser("alice@example.org")
        try client.register(user)
        return (client, user)
    }

    @Test func `a store in memory does what files do`() throws {
        let fixture = try DirectFixture()
        let store = MemoryStore()
        #expect(try open(fixture, store).mpin.isNewAccount)
        let (client, user) = try enrolled(fixture, store)
        try client.logIn(user, "4962")
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        #expect(store[.staged] == nil)
        let later = try open(fixture, store)
        try later.logIn(try later.first(), "7385")
        #expect(later.mpin.allUsers.count == 1 && !later.mpin.isNewAccount)

        let staged = try open(fixture, store, .staging)
        try staged.mpin.discardLeftovers()
        let renewed = staged.mpin.makeUser("alice@example.org")
        try staged.register(renewed, "1397")
        #expect(try staged.mpin.recover(renewed, pin: secret("1397")))
        let last = try open(fixture, store)
        let mpinIDs = last.mpin.allUsers.map(\.mpinID)
        #expect(mpinIDs == [renewed.mpinID] && renewed.mpinID != user.mpinID)
        try last.mpin.deleteUser(try last.first())
        #expect(store[.registrations] == nil)
    }

    /// The program around the files is an application's own.
    @Test func `files can be wrapped`() throws {
        final class Wrapped: RegistrationStore {
            let files: FileStore
            init(_ files: FileStore) { self.files = files }
            func lock() throws(MPinError) { try files.lock() }
            func unlock() { files.unlock() }
            func read(_ record: StoredRecord, _ use: (Span<UInt8>) -> Void) throws(MPinError) {
                try files.read(record, use)
            }
            func replace(_ record: StoredRecord, with content: Span<UInt8>) throws(MPinError) {
                try files.replace(record, with: content)
            }
            func remove(_ record: StoredRecord) throws(MPinError) { try files.remove(record) }
        }
        let fixture = try DirectFixture()
        let files = try FileStore(directory: fixture.store, account: "alice", create: true)
        let (client, user) = try enrolled(fixture, Wrapped(files))
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        let (other, same) = try fixture.nextProcess()
        try other.logIn(same, "7385")
    }

    @Test(arguments: ["lock", "read registrations", "replace registrations", "read staged", "replace staged"])
    func `a store that fails fails the call, and changes nothing`(function: String) throws {
        let fixture = try DirectFixture()
        let store = MemoryStore()
        let (client, user) = try enrolled(fixture, store)
        let before = store[.registrations]
        store.interruption = { (called) throws(MPinError) in
            if called == function { throw MPinError(code: .storageError) }
        }
        let error = try failure { try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385")) }
        #expect(error?.code == .storageError && error?.message == "The M-Pin store cannot be used.")
        #expect(store[.registrations] == before)
        store.interruption = { _ in }
        try client.logIn(user, "4962")
        if function.hasPrefix("read reg") {
            store.interruption = { (_) throws(MPinError) in throw MPinError(code: .storageError) }
            #expect(try failure { _ = try open(fixture, store) }?.code == .storageError)
        }
    }

    @Test(arguments: [MPinStatus.ok, .incorrectPIN, .networkError]) func `its error is an error of a store`(
        code: MPinStatus
    ) throws {
        let fixture = try DirectFixture()
        let store = MemoryStore()
        let (client, user) = try enrolled(fixture, store)
        for function in ["lock", "read registrations", "replace registrations"] {
            store.interruption = { (called) throws(MPinError) in
                if called == function { throw MPinError(code: code, pinChecked: .yes) }
            }
            let error = try failure { try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385")) }
            #expect(error == MPinError(code: .storageError))
        }
        store.interruption = { (_) throws(MPinError) in throw MPinError(code: .storageError, reason: .fullStore) }
        #expect(try failure { _ = try open(fixture, store) }?.reason == .fullStore)
    }

    /// A cache is for speed only.
    @Test func `a store without a cache works`() throws {
        let fixture = try Fixture()
        let store = MemoryStore()
        store.interruption = { (called) throws(MPinError) in
            if called.hasSuffix("cache") { throw MPinError(code: .storageError) }
        }
        let (client, user) = try enrolled(fixture, store)
        try client.logIn(user, "4962")
        #expect(store[.cache] == nil)
    }

    @Test func `a foreign or damaged record is refused, and kept`() throws {
        let fixture = try DirectFixture()
        let store = MemoryStore()
        let (_, user) = try enrolled(fixture, store)
        let own = try #require(store[.registrations])
        for foreign in ["", "token", "{}", own.replacingOccurrences(of: "\"version\":4", with: "\"version\":5")] {
            store[.registrations] = foreign
            #expect(try failure { _ = try open(fixture, store) }?.code == .storageError)
            #expect(store[.registrations] == foreign)
        }
        store[.registrations] = String(repeating: " ", count: 70_000)
        #expect(try failure { _ = try open(fixture, store) }?.code == .storageError)
        // Another user's registration, with a token of this one's.
        store[.registrations] = own.replacingOccurrences(of: "alice", with: "carol")
        let client = try open(fixture, store)
        #expect(client.mpin.recordsSetAside == 1 && client.mpin.allUsers.isEmpty)
        #expect(user.identity == "alice@example.org")
    }
}

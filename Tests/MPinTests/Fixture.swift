// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// A store and a server in a directory of their own, removed at the end.
final class Fixture: @unchecked Sendable {
    let directory: String
    let reference: ReferenceServer
    let server: LoopbackServer

    init() throws {
        Fixture.awaitCertainDay()
        directory = FileManager.default.temporaryDirectory.path + "/mpin-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let reference = try ReferenceServer()
        self.reference = reference
        server = try LoopbackServer(directory: directory) { reference.answer($0) }
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var store: String { directory + "/store" }
    var recordPath: String { store + "/users/alice.json" }
    var cachePath: String { store + "/cache/alice.json" }

    /// - Parameter acceptsOld: whether the server may be one of 2016, as the reference is.
    func open(
        _ area: FileStore.Area = .users, timeout: Int = 5000, acceptsOld: Bool = true
    ) throws -> MPinClient {
        var options = TransportOptions()
        options.timeoutMilliseconds = timeout
        options.acceptsOldServer = acceptsOld
        return try MPinClient(
            store: FileStore(directory: store, account: "alice", area: area, create: true), options: options)
    }

    /// Waits while a test could come so close to midnight (UTC) that clients keep no permit shares.
    static func awaitCertainDay() {
        while ![0, 60].allSatisfy({ StoredLogin.isDayCertain(at: Int64(time(nil)) + $0) }) { sleep(1) }
    }

    /// A client with one registered user.
    func enrolled(pin: String = "4962", timeout: Int = 5000) throws -> (Client, User) {
        let client = Client(try open(timeout: timeout))
        try client.mpin.setBackend(server.url)
        let user = client.mpin.makeUser("alice@example.org", deviceName: "laptop")
        try client.mpin.startRegistration(user)
        try client.mpin.confirmRegistration(user)
        try client.mpin.finishRegistration(user, pin: try secret(pin))
        server.forget()
        return (client, user)
    }

    /// The error for a damaged or missing record.
    func record() throws -> String { try String(contentsOfFile: recordPath, encoding: .utf8) }
}

/// A client that closures can share.
final class Client {
    var mpin: MPinClient

    init(_ mpin: consuming MPinClient) { self.mpin = mpin }

    @discardableResult
    func logIn(_ user: User, _ pin: String) throws -> AuthenticationResult {
        let pending = try mpin.startAuthentication(user)
        return try mpin.finishAuthentication(pending, pin: try secret(pin))
    }
}

/// A code of either kind: an invitation if it has the form of one.
func code(_ text: String?) -> RegistrationCode? { text.map { RegistrationCode(invitation: $0) ?? .application($0) } }

func secret(_ text: String) throws -> PIN {
    try PIN(copying: Array(text.utf8).span)
}

/// The status that a call fails with, `nil` when it succeeds.
func status(_ call: () throws -> Void) throws -> MPinStatus? {
    do {
        try call()
        return nil
    } catch let error as MPinError { return error.code }
}

func failure(_ call: () throws -> Void) throws -> MPinError? {
    do {
        try call()
        return nil
    } catch let error as MPinError { return error }
}

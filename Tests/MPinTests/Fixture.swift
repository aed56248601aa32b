// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// What tests begin with, and one with a registered user.
protocol Prepared {
    var reference: ReferenceServer { get }

    init() throws
    func newUser(_ area: FileStore.Area, acceptsOld: Bool) throws -> (Client, User)
    func enrolled(pin: String, timeout: Int) throws -> (Client, User)
}

extension Prepared {
    static func newUser() throws -> (Self, Client, User) {
        let fixture = try Self()
        let (client, user) = try fixture.newUser(.users, acceptsOld: true)
        return (fixture, client, user)
    }

    /// - Parameter activates: whether the server verifies the identity at once.
    static func started(activates: Bool = true) throws -> (Self, Client, User) {
        let (fixture, client, user) = try newUser()
        fixture.reference.activates = activates
        try client.mpin.startRegistration(user)
        return (fixture, client, user)
    }

    static func enrolled(pin: String = "4962", timeout: Int = 5000) throws -> (Self, Client, User) {
        let fixture = try Self()
        let (client, user) = try fixture.enrolled(pin: pin, timeout: timeout)
        return (fixture, client, user)
    }
}

/// A store and a server in a directory of their own, removed at the end.
class Fixture: Prepared, @unchecked Sendable {
    let directory: String
    let reference: ReferenceServer
    let server: LoopbackServer
    /// What the server answers.
    let usual: @Sendable (Exchange) -> Answer

    required convenience init() throws {
        let reference = try ReferenceServer()
        try self.init(reference) { reference.answer($0) }
    }

    init(_ reference: ReferenceServer, _ usual: @escaping @Sendable (Exchange) -> Answer) throws {
        Fixture.awaitCertainDay()
        (self.reference, self.usual) = (reference, usual)
        directory = FileManager.default.temporaryDirectory.path + "/mpin-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        server = try LoopbackServer(directory: directory, usual)
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

    func answerAsEver() { server.answer(usual) }

    /// Answers a path, and those below it, otherwise.
    func answer(_ path: String, _ answer: Answer) {
        let usual = usual
        server.answer { $0.isAt(path) ? answer : usual($0) }
    }

    /// Changes the answers to the requests whose paths begin so.
    func alter(_ path: String, _ change: @escaping @Sendable (Answer) -> Answer) {
        let usual = usual
        server.answer { $0.path.hasPrefix(path) ? change(usual($0)) : usual($0) }
    }

    /// Changes the settings that the server sends.
    func alterSettings(_ change: @escaping @Sendable (inout ClientSettings) -> Void) {
        alter("/rps/clientSettings") { answer in
            guard var settings = try? ClientSettings.decode(answer.body.span) else { return answer }
            change(&settings)
            return .json(settings.encode())
        }
    }

    /// Waits while a test could come so close to midnight (UTC) that clients keep no permit shares.
    static func awaitCertainDay() {
        while ![0, 60].allSatisfy({ StoredLogin.isDayCertain(at: Int64(time(nil)) + $0) }) { sleep(1) }
    }

    /// A client at this server.
    func client(timeout: Int = 5000) throws -> Client {
        let client = Client(try open(timeout: timeout))
        try client.mpin.setBackend(server.url)
        return client
    }

    /// A client at this server, and a new user.
    func newUser(_ area: FileStore.Area = .users, acceptsOld: Bool = true) throws -> (Client, User) {
        let client = Client(try open(area, acceptsOld: acceptsOld))
        try client.mpin.setBackend(server.url)
        return (client, client.mpin.makeUser("alice@example.org"))
    }

    /// A client at this server, and a new user whose registration is started.
    func started() throws -> (Client, User) {
        let (client, user) = try newUser()
        try client.mpin.startRegistration(user)
        return (client, user)
    }

    /// Another process, which finds what earlier ones left.
    func nextProcess() throws -> (Client, User) {
        let client = Client(try open())
        try client.mpin.selectBackend(server.url)
        server.forget()
        return (client, try client.first())
    }

    /// A client with one registered user.
    func enrolled(pin: String = "4962", timeout: Int = 5000) throws -> (Client, User) {
        let client = try client(timeout: timeout)
        let user = client.mpin.makeUser("alice@example.org", deviceName: "laptop")
        try client.register(user, pin)
        server.forget()
        return (client, user)
    }

    /// How many requests there were with this in their method and path.
    func requests(of path: String) -> Int { server.requests.count { $0.contains(path) } }

    func record() throws -> String { try String(contentsOfFile: recordPath, encoding: .utf8) }
}

extension Exchange {
    /// Whether this is a request of a path or one below it.
    func isAt(_ path: String) -> Bool { self.path == path || self.path.hasPrefix(path + "/") }
}

/// A client that closures can share.
final class Client {
    var mpin: MPinClient

    init(_ mpin: consuming MPinClient) { self.mpin = mpin }

    func register(_ user: User, _ pin: String = "4962") throws {
        try mpin.startRegistration(user)
        try finish(user, pin)
    }

    /// Confirms and finishes a registration.
    func finish(_ user: User, _ pin: String = "4962") throws {
        try mpin.confirmRegistration(user)
        try mpin.finishRegistration(user, pin: secret(pin))
    }

    /// The first registration.
    func first() throws -> User { try #require(mpin.users.first) }

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

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// The clients of one recording, each with an account of its own, at one server that answers from the recording.
final class ReplaySession {
    private let directory: String
    private let replay = ReplayServer()
    private let server: LoopbackServer
    private var devices: [String: Device] = [:]

    /// One client with the user it works for.
    private final class Device {
        let client: Client
        var user: User?
        var pending: PendingAuthentication?

        init(_ client: Client) { self.client = client }
    }

    init() throws {
        Fixture.awaitCertainDay()
        directory = FileManager.default.temporaryDirectory.path + "/replay-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let replay = replay
        server = try LoopbackServer(directory: directory) { replay.answer($0) }
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Replays a flow, and before it what it builds upon.
    func run(_ flow: String) throws {
        let recording = try Recordings.read(flow)
        for prelude in recording.preludes {
            let calls = try Recordings.read(prelude.flow).calls.filter { $0.client == prelude.recordedClient }
            for call in calls {
                try make(call, as: prelude.client, in: prelude.flow)
                if call.name == prelude.last { break }
            }
        }
        for call in recording.calls { try make(call, as: call.client, in: flow) }
    }

    private func make(_ call: Recording.Call, as name: String, in flow: String) throws {
        let device = try device(name)
        replay.expect(call.requests, names: try ReplaySession.names(of: device.user))
        let place = "\(flow): \(name) \(call.name) \(call.arguments.joined(separator: " "))"
        var told = ""
        var code = MPinStatus.ok
        do { told = try make(call, on: device, of: name) } catch let error as MPinError { code = error.code }
        if call.name == "finishAuthenticationAN", let user = device.user {
            told = "canLogout=\(device.client.mpin.canLogout(user))"
        }
        if call.name == "getServiceDetails", code != .ok { told = "name= url= prefix= logo=" }
        let state = device.user.map { $0.state.name } ?? "-"
        let outcome = ([code.name, state] + (told.isEmpty ? [] : [told])).joined(separator: " ")
        #expect(outcome == call.outcome, "\(place)")
        if let theirs = call.theirs { #expect(outcome != theirs, "\(place) differs no more") }
        for fault in replay.takeFaults() { Issue.record("\(place): \(fault)") }
        #expect((call.theirs == nil) == (call.reason == nil), "\(place): a difference needs a reason")
    }

    private func device(_ name: String) throws -> Device {
        if let device = devices[name] { return device }
        let device = Device(Client(try open(name)))
        devices[name] = device
        return device
    }

    private func open(_ name: String) throws -> MPinClient {
        var options = TransportOptions()
        options.acceptsOldServer = true
        return try MPinClient(
            store: FileStore(directory: directory + "/store", account: name, create: true), options: options)
    }

    private func address(_ argument: String) -> String {
        argument == "nobody" ? "unix:\(directory)/nobody.sock" : server.url
    }

    private static func names(of user: User?) throws -> [String: String] {
        guard let user, let bytes = Hex.decode(Array(user.mpinID.utf8).span), !bytes.isEmpty else { return [:] }
        let hash = try Hash.sha256(bytes)
        return ["mpinID": user.mpinID, "hash": String(decoding: Hex.encode(hash.span), as: UTF8.self)]
    }

    /// Makes a call. Returns its results other than status and state, in the form of the recordings.
    private func make(_ call: Recording.Call, on device: Device, of name: String) throws -> String {
        let client = device.client
        let argument = call.arguments.first ?? ""
        if !call.name.hasPrefix("finishAuthentication") { device.pending = nil }
        switch call.name {
        case "init":
            device.user = nil
            client.mpin = try open(name)
            if !argument.isEmpty { try client.mpin.setBackend(address(argument)) }
            return ""
        case "setBackend":
            try client.mpin.setBackend(address(argument))
            return ""
        case "testBackend":
            try client.mpin.testBackend(server.url, rpsPrefix: argument.isEmpty ? "rps" : argument)
            return ""
        case "makeUser":
            device.user = client.mpin.makeUser(argument, deviceName: call.arguments.dropFirst().first ?? "")
            return ""
        case "find":
            device.user = client.mpin.user(identity: argument)
            return ""
        case "files": return try files(of: name)
        case "getClientParam": return "value=" + client.mpin.getClientParam(argument)
        case "checkAccessNumber":
            try client.mpin.checkAccessNumber(argument)
            return ""
        case "getServiceDetails":
            let details = try client.mpin.getServiceDetails(server.url + "#code")
            return "name=\(spaceless(details.name)) url=\(details.backendURL) prefix=\(details.rpsPrefix)"
                + " logo=\(details.logoURL)"
        case "getSessionDetails":
            let details = try client.mpin.getSessionDetails(argument)
            return "app=\(spaceless(details.appName)) icon=\(details.appLogoURL) preroll=\(details.prerollID)"
        default: return try make(call, on: device, for: try #require(device.user))
        }
    }

    private func make(_ call: Recording.Call, on device: Device, for user: User) throws -> String {
        let client = device.client
        let argument = call.arguments.first ?? ""
        switch call.name {
        case "startRegistration": try client.mpin.startRegistration(user)
        case "restartRegistration": try client.mpin.restartRegistration(user)
        case "confirmRegistration": try client.mpin.confirmRegistration(user)
        case "finishRegistration": try client.mpin.finishRegistration(user, pin: secret(argument))
        case "startAuthentication":
            device.pending = try client.mpin.startAuthentication(user, accessCode: call.arguments.first)
        case "logout": return "logout=\(client.mpin.logout(user))"
        default: return try finish(call, on: device)
        }
        return ""
    }

    private func finish(_ call: Recording.Call, on device: Device) throws -> String {
        guard let pending = device.pending.take() else {
            Issue.record("\(call.name) without a started authentication")
            return ""
        }
        let pin = try secret(call.arguments[0])
        switch call.name {
        case "finishAuthentication": _ = try device.client.mpin.finishAuthentication(pending, pin: pin)
        case "finishAuthenticationAN":
            try device.client.mpin.finishAuthenticationAN(pending, pin: pin, accessNumber: call.arguments[1])
        case "finishAuthenticationOTP":
            let otp = try device.client.mpin.finishAuthenticationOTP(pending, pin: pin)
            return "otp=\(otp.otp) otpStatus=\(otp.status.name) ttl=\(otp.ttlSeconds) expire=\(otp.expireTime)"
                + " now=\(otp.nowTime)"
        default: Issue.record("unknown call \(call.name)")
        }
        return ""
    }

    /// What an account's files hold of its one user.
    private func files(of name: String) throws -> String {
        let read = { (part: String, list: String) -> [String: Any]? in
            let data = try Data(contentsOf: URL(filePath: "\(self.directory)/store/\(part)/\(name).json"))
            let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            return (object?[list] as? [[String: Any]])?.first
        }
        let user = try #require(try read("users", "users"))
        let cached = try? read("cache", "logins")
        let hasShare = (cached?["share"] as? String)?.hasPrefix("04") == true
        let permit = hasShare ? (cached?["day"] as? Int).map(String.init) ?? "?" : "none"
        return "token=\(user["token"] == nil ? "no" : "yes") permit=\(permit)"
            + " device=\(spaceless(user["deviceName"] as? String ?? ""))"
    }

    private func spaceless(_ text: String) -> String { text.replacingOccurrences(of: " ", with: "%20") }
}

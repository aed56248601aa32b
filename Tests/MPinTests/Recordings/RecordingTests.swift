// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// The files of recorded flows.
enum Recordings {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Flows")

    static let flows: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".flow") }.map { String($0.dropLast(5)) }.sorted()
    }()

    static func read(_ flow: String) throws -> Recording {
        try Recording(String(contentsOf: directory.appending(path: flow + ".flow"), encoding: .utf8))
    }
}

/// The client against what the system of 2016 said and did.
@Suite struct RecordingTests {
    @Test func `all flows are there`() {
        #expect(Recordings.flows.count == 30)
    }

    @Test(arguments: Recordings.flows) func replays(flow: String) throws {
        try ReplaySession().run(flow)
    }

    /// The token and the permit that the client of 2016 had on disk follow from the recorded shares.
    @Test func `the shares give the recorded token`() throws {
        let registration = try Recordings.read("01-registration-email").calls.flatMap(\.requests).compactMap(\.answer)
        let answers = registration.map { String(decoding: $0.body, as: UTF8.self) }
        let mpinID = try #require(RecordingTests.member("mpinId", in: answers))
        let first = try RecordingTests.point(#require(RecordingTests.member("clientSecretShare", in: answers)))
        let second = try RecordingTests.point(#require(RecordingTests.member("clientSecret", in: answers)))
        var pin = try SecretBytes(capacity: 4)
        pin.withMutableBytes(count: 4) { target in for index in 0..<4 { target[index] = UInt8(0x31 + index) } }
        let identity = Hex.decode(Array(mpinID.utf8).span)
        let token = try ClientToken.extract(
            identity: Identity(mpinID: try #require(identity)),
            factor: PINFactor(pin: pin, scheme: .mobile2016), clientSecret: Shares.recombine(first, second))
        let hex = token.withBytes { String(decoding: Hex.encode($0), as: UTF8.self) }
        #expect(
            hex == "0414f92870792869ce9222b178b108bf98ab9a4e51e4e4b31bce9ea9e2a5e91d66"
                + "1a9b5d71e7a5960edc68ab6160ffb73a15041c3ae8d7fe07be9f28f40829c0f1")
    }

    private static func member(_ name: String, in texts: [String]) -> String? {
        texts.lazy.compactMap { text in
            (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?[name] as? String
        }.first
    }

    private static func point(_ hex: String) throws -> SecretBytes {
        let decoded = Hex.decode(Array(hex.utf8).span)
        let bytes = try #require(decoded)
        var point = try SecretBytes(capacity: bytes.count)
        point.withMutableBytes(count: bytes.count) { target in
            for index in bytes.indices { target[index] = bytes[index] }
        }
        return point
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// `init` that was cut off.
@Suite struct InterruptedInitializationTests {
    @Test func `an interrupted init is begun again, and a used key is kept`() throws {
        let path = NSTemporaryDirectory() + "mpin-init-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = ServerDirectory(path)
        _ = try Initialization.run(directory, publicURL: nil, actor: "test")
        let files = { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
        let whole = try files()
        // As it is before the last step.
        let key = try Data(contentsOf: URL(filePath: path + "/state/seal.key"))
        try FileManager.default.moveItem(atPath: path + "/state", toPath: path + "/state.new")
        _ = try Initialization.run(directory, publicURL: nil, actor: "test")
        #expect(try files() == whole)
        let next = try Data(contentsOf: URL(filePath: path + "/state/seal.key"))
        #expect(next != key)
        _ = try LoginServer(directory)
        // A database that was lost is another thing.
        try FileManager.default.removeItem(atPath: path + "/state/mpin.sqlite")
        #expect(throws: ServerError.self) { try Initialization.run(directory, publicURL: nil, actor: "test") }
        #expect(try Data(contentsOf: URL(filePath: path + "/state/seal.key")) == next)
    }
}

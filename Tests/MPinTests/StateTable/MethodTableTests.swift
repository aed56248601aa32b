// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Every public call has its row, and every row tests that exist.
@Suite struct MethodTableTests {
    static let repository = StateTable.directory.resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the table of calls is whole`() throws {
        let script = Process()
        script.executableURL = MethodTableTests.repository.appending(path: "scripts/sdk-table")
        // What was built together with this test.
        script.arguments = [
            URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        ]
        let output = Pipe()
        script.standardOutput = FileHandle.nullDevice
        script.standardError = output
        try script.run()
        let faults = try output.fileHandleForReading.readToEnd() ?? Data()
        script.waitUntilExit()
        #expect(script.terminationStatus == 0, "\(String(decoding: faults, as: UTF8.self))")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Cases that Tests/Vectors/cases.py has made, in the file that the environment variable MPIN_ORACLE_CASES names.
@Suite
struct OracleTests {
    static let file = ProcessInfo.processInfo.environment["MPIN_ORACLE_CASES"] ?? ""

    @Test(.enabled(if: !file.isEmpty, "MPIN_ORACLE_CASES names no file of cases, see CONTRIBUTING.md"))
    func `every case of a file has the oracle's result`() throws {
        let text = [UInt8](try Data(contentsOf: URL(filePath: OracleTests.file)))
        var lines = text.split(separator: 0x0A)
        // A file that was cut off must not look like a whole one.
        let end = lines.popLast().map { String(decoding: $0, as: UTF8.self) }
        #expect(end == "end \(lines.count)")
        var counts: [String: Int] = [:]
        var wrong: [String: [Int]] = [:]
        for (index, line) in lines.enumerated() {
            let vector = try OracleCase(line: line)
            guard let calculate = OracleOperation.all[vector.operation] else {
                throw OracleCase.Problem(text: "unknown operation \(vector.operation)")
            }
            counts[vector.operation, default: 0] += 1
            if try calculate(vector) != vector.result { wrong[vector.operation, default: []].append(index + 1) }
        }
        for (operation, places) in wrong.sorted(by: { $0.key < $1.key }) {
            Issue.record("\(operation): \(places.count) are wrong, on the lines \(places.prefix(10))")
        }
        #expect(Set(counts.keys) == Set(OracleOperation.all.keys), "each operation has cases")
        let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("note: \(lines.count) cases of an oracle compared, \(wrong.values.joined().count) wrong: \(kinds)")
    }
}

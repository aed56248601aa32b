// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file of known answers.
struct VectorFile: Sendable {
    let name: String
    let kind: String
    let cases: [VectorCase]

    /// Our own files and those in the directory that the environment variable MPIN_VECTORS names.
    static let all: [VectorFile] = {
        do {
            var files = try load(directory: ownDirectory, prefix: "")
            if let other = ProcessInfo.processInfo.environment["MPIN_VECTORS"], !other.isEmpty {
                files += try load(directory: URL(filePath: other), prefix: "MPIN_VECTORS/")
            }
            return files
        } catch {
            // Without its data the run must not look like a run.
            return [VectorFile(name: "unreadable: \(error)", kind: "unreadable", cases: [])]
        }
    }()

    /// The cases of some kinds.
    static func cases(_ kinds: [String]) -> [VectorCase] {
        all.filter { kinds.contains($0.kind) }.flatMap(\.cases)
    }

    static let ownDirectory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors")

    private struct Document: Decodable {
        let kind: String
        let cases: [[String: JSON]]
    }

    private static func load(directory: URL, prefix: String) throws -> [VectorFile] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".json") }.sorted()
        return try names.map { name in
            let data = try Data(contentsOf: directory.appending(path: name))
            let document = try JSONDecoder().decode(Document.self, from: data)
            let cases = document.cases.enumerated().map { index, members in
                VectorCase(file: prefix + name, kind: document.kind, index: index, members: members)
            }
            return VectorFile(name: prefix + name, kind: document.kind, cases: cases)
        }
    }
}

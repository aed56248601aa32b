// SPDX-License-Identifier: Apache-2.0
import Testing

private let runKinds = ["mpin-e2e", "upstream-mpin", "mpin-onepass", "upstream-onepass"]
/// M-Pin Full, a key agreement that no client and no server of M-Pin uses, is not implemented.
private let excludedKinds = ["mpin-full"]

/// Every case of every vector file, ours and those of the directory MPIN_VECTORS.
@Suite
struct VectorTests {
    @Test(arguments: VectorFile.cases(["fields"]))
    func `fields and groups`(_ vector: VectorCase) throws {
        try FieldReader.check(vector)
    }

    @Test(arguments: VectorFile.cases(["calls"]))
    func `single operations`(_ vector: VectorCase) throws {
        try CallReader.check(vector)
    }

    @Test(arguments: VectorFile.cases(runKinds))
    func `complete runs`(_ vector: VectorCase) throws {
        try RunReader.check(vector)
    }

    @Test(arguments: VectorFile.cases(["direct-login"]))
    func `direct logins`(_ vector: VectorCase) throws {
        try DirectLoginReader.check(vector)
    }

    /// That no file falls through: each is read by one of the tests above, or left out by name here.
    @Test(arguments: VectorFile.all.map(\.name))
    func `every file is read`(_ name: String) throws {
        let file = try #require(VectorFile.all.first { $0.name == name })
        if excludedKinds.contains(file.kind) {
            print(
                "excluded: \(file.name), \(file.cases.count) cases of kind \(file.kind): M-Pin Full is not implemented")
            return
        }
        #expect((["fields", "calls", "direct-login"] + runKinds).contains(file.kind), "unknown kind \(file.kind)")
        #expect(!file.cases.isEmpty, "no cases")
    }

    @Test
    func `our own files are there`() {
        let kinds = Set(VectorFile.all.filter { !$0.name.hasPrefix("MPIN_VECTORS") }.map(\.kind))
        #expect(kinds == ["fields", "calls", "mpin-e2e", "mpin-onepass", "direct-login"])
    }
}

// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

/// Query strings, and the names all messages use.
struct QueryTests {
    @Test
    func `a signed question for a share reads as it was written`() throws {
        let hash = HexText(bytes: [UInt8](repeating: 7, count: 32))
        let query = ShareQuery(appID: "ab", expires: "2026-03-04T05:06:07Z", hashMPinID: hash, signature: hash).encode()
        #expect(query.contains("expires=2026-03-04T05%3a06%3a07Z"))
        #expect(query.contains("hash_user_id=&"))
        #expect(Query.isWellFormed(query))
        let read = try ShareQuery.decode(query, needsIdentity: true)
        #expect(read.expires == "2026-03-04T05:06:07Z" && read.hashMPinID == hash && read.signature == hash)
        #expect(throws: WireError.missing(.hashUserID)) {
            try ShareQuery.decode(
                "app_id=ab&expires=x&hash_mpin_id=\(hash.string)&signature=\(hash.string)", needsIdentity: true)
        }
        #expect(throws: WireError.missing(.signature)) {
            try ShareQuery.decode("app_id=ab&expires=x", needsIdentity: false)
        }
    }

    @Test
    func `a signed question for a permit reads as it was written`() throws {
        let hash = HexText(bytes: [UInt8](repeating: 7, count: 32))
        let read = try PermitQuery.decode(
            PermitQuery(hashMPinID: hash, signature: hash, appID: "ab", count: 12).encode().string)
        #expect(read.count == 12 && read.appID == "ab")
        for count in ["", "x", "100", "-1"] {
            #expect(throws: WireError.invalid(.count)) {
                try PermitQuery.decode("hash_mpin_id=\(hash.string)&signature=\(hash.string)&count=\(count)")
            }
        }
    }

    @Test
    func `a push token is encoded, whatever is in it`() throws {
        let token = "a b&c=d%#é+/?"
        let query = SignatureQuery(regOTT: HexText(bytes: [1]), pushToken: token).encode()
        #expect(Query.isWellFormed(query))
        #expect(try SignatureQuery.decode(query).pushToken == token)
    }

    @Test(arguments: [
        "mobile=%", "mobile=%4", "mobile=%zz", "mobile=%ff", "mobile=%00", "mobile=1&mobile=2", "x=1", "",
    ])
    func `no value`(_ query: String) {
        #expect(Query.value(of: .mobile, in: query) == nil)
    }

    /// In JSON and in a query, names stand as they are.
    @Test
    func `every name has only characters that need no escape`() {
        for name in MemberName.allCases.map({ "\($0.name)" }) {
            #expect(!name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C })
        }
    }
}

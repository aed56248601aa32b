// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// The setting `database`, and databases that are not good.
@Suite struct DatabaseSettingTests {
    private var newest: String { get throws { try PostgreSQLServer.shared.get().directory + "/" + UUID().uuidString } }

    @Test(arguments: [
        "postgresql://db/mpin", "postgresql://a,b:5433/mpin", "postgresql://mpin@[2001:db8::1]:5432/mpin",
        "postgresql://%2Frun%2Fpostgresql/mpin",
    ]) func `addresses`(text: String) { #expect(PostgreSQLAddress(text)?.text == text) }

    @Test(arguments: [
        "", "mpin", "sqlite:///x", "postgresql://", "postgresql://db", "postgresql://db/", "postgresql:///mpin",
        "postgresql://mpin:secret@db/mpin", "postgresql://db/mpin?sslmode=disable", "postgresql://db:0/mpin",
        "postgresql://db,,db/mpin", "postgresql://a%2Cb/mpin", "postgresql://db/m pin",
        "postgresql://x%00sslmode%00disable@db/mpin", "postgresql://db/a%0Ab", "postgresql://2001:db8::1/mpin",
    ]) func `texts that are not addresses`(text: String) { #expect(PostgreSQLAddress(text) == nil) }

    @Test(.withPostgreSQL) func `an empty database, and one that is in use`() throws {
        let text = try PostgreSQLServer.shared.get().makeDatabase()
        let address = try #require(PostgreSQLAddress(text))
        let none = #expect(throws: ServerError.self) { try ServerStorage(address, password: nil, newest: newest) }
        #expect(none?.message.hasSuffix("does not contain a server") == true)
        let first = try ServerStorage(address, password: nil, newest: newest, creates: true)
        let again = #expect(throws: ServerError.self) {
            try ServerStorage(address, password: nil, newest: newest, creates: true)
        }
        #expect(again?.kind == .cannotCreate)
        try first.write { try $0.execute("UPDATE setting SET value = '4' WHERE name = 'schema'") }
        let old = #expect(throws: ServerError.self) { try ServerStorage(address, password: nil, newest: newest) }
        #expect(old?.message.contains("another version") == true)
    }

    @Test(.withPostgreSQL) func `a database that does not exist`() throws {
        let text = try PostgreSQLServer.shared.get().makeDatabase() + "missing"
        let fault = #expect(throws: ServerError.self) {
            try ServerStorage(#require(PostgreSQLAddress(text)), password: nil, newest: newest)
        }
        #expect(fault?.kind == .unavailable && fault?.message.contains("does not exist") == true)
    }
}

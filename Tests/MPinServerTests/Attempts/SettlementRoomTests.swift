// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerStorage
import Testing

/// The room that settlements need on the disk. If a right PIN needed less than a wrong one, an attacker who fills the
/// disk would learn from a refusal that a PIN was wrong, and it would not be counted.
struct SettlementRoomTests {
    private let limits = AttemptLimits(inARow: 1_000, recent: 1_000, days: 30)
    private let now = Timestamp(seconds: 1_700_000_000)

    /// The bytes that a settlement adds to the log of a copy of a database (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
    private func room(_ file: String, _ settle: (ServerStorage) throws -> Bool) throws -> Int {
        let copy = NSTemporaryDirectory() + "settlement-\(UUID().uuidString).sqlite"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) } }
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        let storage = try ServerStorage(path: copy)
        func size() -> Int { FileManager.default.contents(atPath: copy + "-wal")?.count ?? 0 }
        let before = size()
        let isSettled = try settle(storage)
        #expect(isSettled)
        return size() - before
    }

    @Test(.onSQLite) func `a right PIN and a withdrawn attempt need the room of a wrong PIN`() throws {
        let fixture = try Fixture()
        let device = try fixture.device("alice")
        let (file, hash) = (fixture.path + "/state/mpin.sqlite", try Hash.sha256(unhex(device.enrolled.mpinID)))
        let storage = try ServerStorage(path: file)
        var rooms: Set<Int> = []
        // Around the length at which a row needs a page more (https://www.sqlite.org/fileformat2.html#cell_payload): a
        // wrong PIN makes it longer.
        for number in 0..<460 {
            let commitment = SignedCommitment(
                key: device.key.publicKey,
                hash: [UInt8](repeating: 0, count: 30) + [UInt8(number / 256), UInt8(number % 256)],
                time: now.milliseconds)
            try fixture.database.writeWithoutTransaction { database in
                try database.execute(
                    sql: "UPDATE registration SET user_data = ?",
                    arguments: [String(repeating: "x", count: 3_600 + number)])
            }
            let result = try storage.reserveAttempt(
                Int64(number + 1), hash, origin: .direct(commitment), limits: limits, now: now)
            guard case .reserved(let reservation) = result else { throw CancellationError() }
            guard number > 0 else {
                _ = try storage.settleWrong(reservation, limits: limits, now: now)
                continue
            }
            try fixture.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            let wrong = try room(file) {
                try $0.settleWrong(reservation, limits: limits, now: now) != nil
            }
            let right = try room(file) { try $0.settleRight(reservation, limits: limits, now: now) }
            let withdrawn = try room(file) { try $0.withdrawAttempt(reservation, limits: limits, now: now) }
            #expect(wrong > 0 && right >= wrong && withdrawn >= wrong, "\(number): \(wrong), \(right), \(withdrawn)")
            rooms.insert(wrong)
            _ = try storage.withdrawAttempt(reservation, limits: limits, now: now)
        }
        #expect(rooms.count > 1)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import Testing

extension Fixture {
    /// Replaces the file with the account's records.
    func write(_ text: String) throws {
        try text.write(toFile: recordPath, atomically: false, encoding: .utf8)
    }

    /// Changes the only record, and gives it the checksum of its new content.
    func changeRecord(_ change: (inout [String: Any]) -> Void) throws {
        var file = try #require(try JSONSerialization.jsonObject(with: Data(record().utf8)) as? [String: Any])
        var user = try #require((file["users"] as? [[String: Any]])?.first)
        change(&user)
        func text(_ name: String) -> [UInt8] { Array((user[name] as? String ?? "").utf8) }
        func bytes(_ name: String) -> [UInt8] { HexText(text: text(name).span)?.bytes ?? [] }
        var summed = ["identity", "regOTT", "pinScheme"].flatMap { text($0) + [0xFF] } + text("mpinId")
        let owner = user["uid"] as? Int ?? 0
        summed += [UInt8(user["pinLength"] as? Int ?? 0)] + (0..<4).map { UInt8(truncatingIfNeeded: owner >> (8 * $0)) }
        summed += bytes("token")
        if ["deviceKey", "deviceSecret", "tpmKey", "serverKey", "serverKeySource"].contains(where: { user[$0] != nil })
        {
            summed += text("deviceKey") + (user["tpmKey"] == nil ? bytes("deviceSecret") : text("tpmKey"))
            summed += text("serverKey") + text("serverKeySource") + [0xFF]
        }
        user["checksum"] = Int(summed.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 })
        file["users"] = [user]
        try JSONSerialization.data(withJSONObject: file).write(to: URL(fileURLWithPath: recordPath))
    }

    /// Expects that the only record is set aside, whichever character of some hexadecimal members changes.
    func expectNoticed(changesOf names: [String]) throws {
        let record = try record()
        for name in names {
            let range = try #require(record.firstRange(of: "\"\(name)\":\""))
            for offset in stride(from: 0, to: 64, by: 3) {
                var damaged = record
                let place = damaged.index(range.upperBound, offsetBy: offset)
                let other: Character = damaged[place] == "7" ? "8" : "7"
                damaged.replaceSubrange(place...place, with: [other])
                try write(damaged)
                #expect(try open().recordsSetAside == 1, "\(name) \(offset)")
            }
        }
    }
}

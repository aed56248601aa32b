// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import Testing

extension DirectFixture {
    /// Replaces the file with the account's records.
    func write(_ text: String) throws {
        try text.write(toFile: fixture.recordPath, atomically: false, encoding: .utf8)
    }

    /// Expects that the only record is set aside, whichever character of some hexadecimal members changes.
    func expectNoticed(changesOf names: [String]) throws {
        let record = try fixture.record()
        for name in names {
            let range = try #require(record.firstRange(of: "\"\(name)\":\""))
            for offset in stride(from: 0, to: 64, by: 3) {
                var damaged = record
                let place = damaged.index(range.upperBound, offsetBy: offset)
                let other: Character = damaged[place] == "7" ? "8" : "7"
                damaged.replaceSubrange(place...place, with: [other])
                try write(damaged)
                #expect(try fixture.open().recordsSetAside == 1, "\(name) \(offset)")
            }
        }
    }
}

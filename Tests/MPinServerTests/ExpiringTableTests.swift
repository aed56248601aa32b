// SPDX-License-Identifier: Apache-2.0
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Testing

@Suite struct ExpiringTableTests {
    private let start = ContinuousClock.now
    private let lifetime = Duration.seconds(10)

    private func time(_ seconds: Int) -> Instant { start + .seconds(seconds) }

    /// A table with values that were inserted one second after the other.
    private func table(limit: Int = .max, _ keys: [String]) -> ExpiringTable<String, Int> {
        var table = ExpiringTable<String, Int>(limit: limit)
        for (index, key) in keys.enumerated() {
            table.insert(index, for: key, until: time(index) + lifetime, at: time(index))
        }
        return table
    }

    @Test func `a value is there until it expires, and is evicted afterwards`() {
        var table = table(["a", "b"])
        #expect(table.value(for: "a", at: time(9)) == 0)
        #expect(table.value(for: "a", at: time(10)) == nil)
        #expect(table["a"] == 0)
        #expect(table.removeExpired(at: time(10)).map(\.key) == ["a"])
        #expect(table["a"] == nil)
        #expect(table.value(for: "b", at: time(10)) == 1)
        #expect(table.insert(2, for: "c", until: time(30), at: time(20)).map(\.value) == [1])
        #expect(table.count == 1)
    }

    @Test func `a full table displaces the oldest, and no value for another of the same key`() {
        var table = table(limit: 2, ["a", "b"])
        #expect(table.insert(5, for: "b", until: time(20), at: time(2)).isEmpty)
        #expect(table.insert(6, for: "c", until: time(20), at: time(2)).map(\.key) == ["a"])
        #expect(table.insert(7, for: "d", until: time(20), at: time(2)).map(\.value) == [5])
        #expect(table.count == 2)
    }

    @Test func `a renewed value is the newest, and a replaced one keeps its place and its end`() {
        var table = table(limit: 2, ["a", "b"])
        table.renew("a", until: time(12))
        table.replace("b", with: 8)
        table.replace("x", with: 9)
        table.renew("x", until: time(99))
        #expect(table["x"] == nil)
        #expect(table.value(for: "b", at: time(11)) == nil)
        #expect(table.value(for: "a", at: time(11)) == 0)
        #expect(table.insert(3, for: "c", until: time(20), at: time(2)).map(\.value) == [8])
    }

    @Test func `what is removed is gone, and its key may come again`() {
        var table = table(limit: 2, ["a", "b"])
        #expect(table.remove("a") == 0)
        #expect(table.remove("a") == nil)
        table.insert(4, for: "a", until: time(20), at: time(2))
        #expect(table.insert(5, for: "c", until: time(20), at: time(2)).map(\.key) == ["b"])
        #expect(table["a"] == 4)
    }

    @Test func `renewals and removals in any number leave what is alive`() {
        var table = table(limit: 3, ["a", "b"])
        for count in 0..<20_000 {
            table.renew("a", until: time(count + 10))
            table.insert(count, for: "c", until: time(count + 10), at: time(1))
            table.remove("c")
        }
        #expect(table.count == 2)
        #expect(table.removeExpired(at: time(15)).map(\.key) == ["b"])
        #expect(table.value(for: "a", at: time(15)) == 0)
    }
}

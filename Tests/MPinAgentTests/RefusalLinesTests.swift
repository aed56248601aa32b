// SPDX-License-Identifier: Apache-2.0
import MPinAgent
import Testing

/// Which refused requests are lines in the agent's log.
@Suite struct RefusalLinesTests {
    @Test func `a user gets a few lines in a minute, and the rest is counted`() {
        var lines = RefusalLines()
        for _ in 1...RefusalLines.most {
            #expect(lines.hasRoom(for: 1000))
            lines.note(1000, isWritten: true, at: 7)
        }
        #expect(!lines.hasRoom(for: 1000) && lines.hasRoom(for: 1001) && !lines.isCounting)
        for _ in 1...3 { lines.note(1000, isWritten: false, at: 8) }
        lines.note(1001, isWritten: true, at: 8)
        #expect(lines.isCounting)
        let end = 7 + RefusalLines.period
        #expect(lines.end(at: end - 1).isEmpty && !lines.hasRoom(for: 1000))
        #expect(
            lines.end(at: end).map(\.string)
                == ["uid=1000 result=REFUSED reason=\"more refused requests within a minute: 3\""])
        #expect(lines.hasRoom(for: 1000) && !lines.isCounting && lines.end(at: end + 1).isEmpty)
    }

    @Test func `at the end of the agent all counts are written`() {
        var lines = RefusalLines()
        for user in [5, 6] as [UInt32] { lines.note(user, isWritten: false, at: 100) }
        #expect(lines.end(at: nil).count == 2)
        #expect(lines.end(at: nil).isEmpty)
    }
}

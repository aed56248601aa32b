// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinPAM
import Testing

/// The guard of the last try, over all orders in which servers count.
struct HandleAttemptsTests {
    @Test(
        arguments: [
            ([2, 1], 2), ([1], 1), ([0], 1), ([4, 3, 2, 1], 4), ([nil, nil], 2), ([2, nil], 2), ([nil, 1], 2),
            ([9, 8, 7, 6, 5], nil), ([nil], nil), ([], nil),
        ] as [([Int?], Int?)])
    func `a handle closes when one try is left, or after two uncounted wrong PINs`(_ left: [Int?], _ after: Int?) {
        var memory = 0
        var closed: Int?
        for (index, left) in left.enumerated() {
            var handle = HandleAttempts(memory: memory)
            handle.note(.wrong(left: left))
            memory = handle.memory
            if handle.isClosed && closed == nil { closed = index + 1 }
        }
        #expect(closed == after)
    }

    @Test
    func `a failure is shown once, and does not change the count`() {
        var handle = HandleAttempts(memory: 0)
        handle.note(.wrong(left: 3))
        for failure in [HandleAttempts.Failure.blocked, .revoked, .unreachable, .remote, .notEnrolled] {
            let isFirst = handle.show(failure)
            handle = HandleAttempts(memory: handle.memory)
            let isSecond = handle.show(failure)
            #expect(isFirst && !isSecond && handle.wrong == 1 && !handle.isClosed)
            // mpin-agent passes the memory on in a byte.
            #expect(0...255 ~= handle.memory)
        }
        handle.note(.wrong(left: 1))
        let isSecond = handle.show(.notEnrolled)
        #expect(handle.isClosed && !isSecond)
    }

    @Test
    func `many wrong PINs at a patient server do not close the handle`() {
        var handle = HandleAttempts(memory: 0)
        for _ in 1...98 { handle.note(.wrong(left: 9)) }
        #expect(!handle.isClosed && 0...255 ~= handle.memory)
    }

    @Test
    func `a closed handle stays closed until a login`() {
        var handle = HandleAttempts(memory: 0)
        handle.note(.wrong(left: 1))
        handle.note(.wrong(left: 5))
        #expect(handle.isClosed)
        handle.reset()
        #expect(!handle.isClosed && handle.memory == 0)
    }
}

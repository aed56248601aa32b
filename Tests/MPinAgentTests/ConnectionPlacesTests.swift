// SPDX-License-Identifier: Apache-2.0
import MPinAgent
import Testing

/// How many connections the agent takes.
@Suite struct ConnectionPlacesTests {
    @Test func `a user has few places and gets one back when its worker ends`() {
        var places = ConnectionPlaces()
        for worker in 1...Int32(ConnectionPlaces.forUser) {
            #expect(places.hasRoom(for: 1000))
            places.take(worker, for: 1000)
        }
        #expect(!places.hasRoom(for: 1000) && places.hasRoom(for: 1001))
        places.free(1)
        #expect(places.hasRoom(for: 1000))
        places.free(1)
        places.free(99)
        places.take(5, for: 1000)
        #expect(!places.hasRoom(for: 1000))
    }

    @Test func `many users leave room for root, and root has an end too`() {
        var places = ConnectionPlaces()
        var worker: Int32 = 0
        for user in 1000..<1100 as Range<UInt32> {
            while places.hasRoom(for: user) {
                worker += 1
                places.take(worker, for: user)
            }
        }
        #expect(Int(worker) == ConnectionPlaces.all - ConnectionPlaces.forRoot)
        for _ in 0..<ConnectionPlaces.forRoot {
            #expect(places.hasRoom(for: 0))
            worker += 1
            places.take(worker, for: 0)
        }
        #expect(!places.hasRoom(for: 0))
        places.free(worker)
        #expect(places.hasRoom(for: 0) && !places.hasRoom(for: 1000))
    }
}

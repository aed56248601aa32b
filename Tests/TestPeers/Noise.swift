// SPDX-License-Identifier: Apache-2.0

/// Damage that is the same in every run.
package struct Noise: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Changes, removes, doubles or inserts something.
    package mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &self)
        let tokens: [String] = [
            "\"", "\\", "\\u", "\\uD800", "{", "}", "[", "]", ",", ":", "null", "1e9", "-", "\0", "é",
        ]
        switch next() % 6 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
        case 1: bytes[place] ^= 1 << UInt8(next() % 8)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(contentsOf: (tokens.randomElement(using: &self) ?? "").utf8, at: place)
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int(next() % 20)))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + Int(next() % 40))], at: place)
        }
    }
}

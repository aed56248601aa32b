// SPDX-License-Identifier: Apache-2.0

/// The bytes the fuzzer gives, in an array of their own, so that reading beyond them is noticed.
func input(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    guard let start = unsafe start else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
}

/// Ends the process, which the fuzzer takes for a find.
func demand(_ isTrue: Bool) {
    if !isTrue { fatalError("a property does not hold") }
}

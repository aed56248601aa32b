// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
extension Constant {
    /// A text of another process of ours. The copy stays in memory until this process ends.
    package init(kept text: ByteText) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count + 1)
        for (index, byte) in text.bytes.enumerated() { unsafe copy[index] = byte }
        unsafe copy[text.count] = 0
        unsafe self.init(start: copy)
    }
}
#endif

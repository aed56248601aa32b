// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
import MPin

/// Ends a call that waits, from another thread.
final class StopSignal: Sendable {
    /// The client's call watches it.
    let descriptor: Int32

    /// - Throws: STORAGE_ERROR if too many files are open.
    init() throws(MPinError) {
        descriptor = mpin_stop_open()
        guard descriptor > 0 else { throw MPinError.noDescriptor }
    }

    deinit { if descriptor > 0 { mpin_descriptor_close(descriptor) } }

    func stop() { mpin_stop_signal(descriptor) }
}

// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// The directory with the notes of an account's attempts, and this process as the notes name it.
final class AttemptDirectory {
    private let directory: Descriptor
    let caller: mpin_attempt_caller

    init(_ file: OpenFile) {
        directory = Descriptor(file)
        var caller = mpin_attempt_caller()
        unsafe mpin_attempt_caller_find(&caller)
        self.caller = caller
    }

    var number: Int32 { directory.number }
}

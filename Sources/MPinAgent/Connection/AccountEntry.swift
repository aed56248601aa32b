// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import MPinWire

/// An account in the account database.
enum AccountEntry {
    /// The user ID of an account, and its name as the database spells it; nil if there is no such account.
    static func find(_ name: ByteText) -> (user: UInt32, name: ByteText)? {
        var own = [CChar](repeating: 0, count: 256)
        let found = unsafe own.withUnsafeMutableBufferPointer {
            unsafe mpin_agent_account(name.cString, $0.baseAddress, $0.count)
        }
        guard let user = UInt32(exactly: found) else { return nil }
        let text = unsafe own.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe ByteText(cString: $0) } }
        return text.map { (user, $0) }
    }
}

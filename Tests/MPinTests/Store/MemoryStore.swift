// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin

/// A store in memory, as an application may have one.
final class MemoryStore: RegistrationStore, @unchecked Sendable {
    private let mutex = NSLock()
    private var records: [StoredRecord: [UInt8]] = [:]
    /// Called before each function, and may throw or wait.
    var interruption: (String) throws(MPinError) -> Void = { _ in }

    func lock() throws(MPinError) {
        try interruption("lock")
        guard mutex.lock(before: Date(timeIntervalSinceNow: 1)) else { throw MPinError(code: .storageError) }
    }

    func unlock() { mutex.unlock() }

    func read(_ record: StoredRecord, _ use: (Span<UInt8>) -> Void) throws(MPinError) {
        try interruption("read \(record)")
        if let content = records[record] { use(content.span) }
    }

    func replace(_ record: StoredRecord, with content: Span<UInt8>) throws(MPinError) {
        try interruption("replace \(record)")
        records[record] = content.indices.map { content[$0] }
    }

    func remove(_ record: StoredRecord) throws(MPinError) {
        try interruption("remove \(record)")
        records[record] = nil
    }

    subscript(_ record: StoredRecord) -> String? {
        get { records[record].map { String(decoding: $0, as: UTF8.self) } }
        set { records[record] = newValue.map { Array($0.utf8) } }
    }
}

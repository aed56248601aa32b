// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

extension FileStore {
    /// The name of the account, as it was passed.
    public var account: String { accountName.string }

    /// Returns the accounts that have registrations, in any order.
    package static func accountNames(in directory: String) throws(StoreError) -> [String] {
        try names(in: directory).compactMap { account(of: $0.bytes[...], behind: ".json") }
    }

    /// A file with records that could not be read.
    package struct UnreadableFile: Sendable {
        package let account: String
        package let path: String
    }

    /// Returns the files with records that could not be read, in any order.
    package static func unreadableFiles(in directory: String) throws(StoreError) -> [UnreadableFile] {
        try names(in: directory).compactMap { name in
            // Further files of an account have the name of the first one with a number appended.
            var first = name.bytes[...]
            while let last = first.last, UInt8(ascii: "0")...UInt8(ascii: "9") ~= last { first = first.dropLast() }
            let isNumbered = first.count < name.count
            if isNumbered {
                guard first.last == UInt8(ascii: ".") else { return nil }
                first = first.dropLast()
            }
            guard let account = account(of: first, behind: ".json.bad") else { return nil }
            let path = directory + "/" + Area.users.directory.text + "/" + name.string
            return UnreadableFile(account: account, path: path)
        }
    }

    private static func account(of name: ArraySlice<UInt8>, behind suffix: StaticString) -> String? {
        let length = suffix.utf8CodeUnitCount
        guard name.count > length, suffix.matches(Array(name.suffix(length))) else { return nil }
        return String(decoding: name.dropLast(length), as: UTF8.self)
    }

    private static func names(in directory: String) throws(StoreError) -> [ByteText] {
        let opened = unsafe mpin_directory_open(ByteText(directory).cString, 0, 1)
        return try enter(.users, of: Descriptor(opened, missing: .noStore), create: false).list()
    }

    /// Moves unreadable records to a file beside the account's file, so that others can be written.
    ///
    /// A file that cannot be read at all is renamed. A file with some unreadable records is copied as a whole, and
    /// loses those.
    /// - Returns: the name of the file with the unreadable records, relative to the store; `nil` if all records can be
    ///   read.
    package func setAsideUnreadable(until deadline: Deadline) throws(StoreError) -> String? {
        try withLock(until: deadline, create: true) { store throws(StoreError) in
            do throws(StoreError) {
                guard try RecordFile.load(store.ofAccount).setAside > 0 else { return nil }
            } catch .notEnrolled { return nil } catch .damaged, .otherVersion {
                return try store.setAsideRecords(copying: false).string
            }
            let name = try store.setAsideRecords(copying: true)
            try RecordFile.removeUnreadable(from: store.ofAccount)
            return name.string
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinWire

extension FileStore {
    /// Returns the accounts that have registrations, in any order.
    package static func accounts(in directory: ByteText) throws(StoreError) -> [ByteText] {
        try names(in: directory).compactMap { account(of: $0.bytes[...], behind: ".json") }
    }

    /// A file with records that could not be read.
    package struct UnreadableFile: Sendable {
        let accountName: ByteText
        let place: ByteText
    }

    /// Returns the files with records that could not be read, in any order.
    package static func unreadableFiles(in directory: ByteText) throws(StoreError) -> [UnreadableFile] {
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
            let place = directory + "/" + ByteText(Area.users.directory) + "/" + name
            return UnreadableFile(accountName: account, place: place)
        }
    }

    private static func account(of name: ArraySlice<UInt8>, behind suffix: StaticString) -> ByteText? {
        let length = suffix.utf8CodeUnitCount
        guard name.count > length, suffix.matches(Array(name.suffix(length))) else { return nil }
        return ByteText(Array(name.dropLast(length)))
    }

    private static func names(in directory: ByteText) throws(StoreError) -> [ByteText] {
        let opened = unsafe mpin_directory_open(directory.cString, 0, 1)
        return try enter(.users, of: Descriptor(opened, missing: .noStore), create: false).list()
    }
}

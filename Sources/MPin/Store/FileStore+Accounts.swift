internal import CMPinSystem
internal import MPinWire

extension FileStore {
    /// The accounts that have registrations, in no order.
    ///
    /// - Parameter directory: absolute path of the store.
    public static func accounts(in directory: String) throws(StoreError) -> [String] {
        try names(in: directory).compactMap { account(of: $0.utf8, behind: ".json") }
    }

    /// A file in which records that could not be read are kept.
    package struct UnreadableFile: Sendable {
        package let account: String
        /// The absolute path.
        package let path: String
    }

    /// The files in which records that could not be read are kept, in no order.
    ///
    /// - Parameter directory: absolute path of the store.
    package static func unreadableFiles(in directory: String) throws(StoreError) -> [UnreadableFile] {
        try names(in: directory).compactMap { name in
            // Further files of one account have the name of the first with a number appended.
            var first = name.utf8[...]
            while let last = first.last, UInt8(ascii: "0")...UInt8(ascii: "9") ~= last { first = first.dropLast() }
            let isNumbered = first.count < name.utf8.count
            if isNumbered {
                guard first.last == UInt8(ascii: ".") else { return nil }
                first = first.dropLast()
            }
            guard let account = account(of: first, behind: ".json.bad") else { return nil }
            return UnreadableFile(account: account, path: directory + "/" + Area.users.directory.text + "/" + name)
        }
    }

    private static func account(of name: some BidirectionalCollection<UInt8>, behind suffix: StaticString) -> String? {
        let length = suffix.utf8CodeUnitCount
        guard name.count > length, suffix.matches(String(decoding: Array(name.suffix(length)), as: UTF8.self)) else {
            return nil
        }
        return String(decoding: Array(name.dropLast(length)), as: UTF8.self)
    }

    private static func names(in directory: String) throws(StoreError) -> [String] {
        let opened = unsafe mpin_directory_open(ByteText(directory).cString, 0, 1)
        return try enter(.users, of: Descriptor(opened, missing: .noStore), create: false).list()
    }
}

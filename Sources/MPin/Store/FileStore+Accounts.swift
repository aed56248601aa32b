internal import CMPinSystem
internal import MPinWire

extension FileStore {
    /// The accounts for which somebody is enrolled, in no order.
    ///
    /// - Parameter directory: absolute path of the store.
    public static func accounts(in directory: String) throws(StoreError) -> [String] {
        let opened = unsafe mpin_directory_open(Text(directory).cString, 0, 1)
        let names = try Descriptor(opened, missing: .noStore).enter(Area.users.directory, create: false).list()
        return names.compactMap { name in
            let suffix: StaticString = ".json"
            guard name.utf8.count > suffix.utf8CodeUnitCount,
                suffix.matches(String(decoding: name.utf8.suffix(suffix.utf8CodeUnitCount), as: UTF8.self))
            else { return nil }
            return String(decoding: name.utf8.dropLast(suffix.utf8CodeUnitCount), as: UTF8.self)
        }
    }
}

/// The settings of one of systemd's units, with its drop-ins.
struct UnitSettings {
    /// Where units lie; what comes first covers what comes later.
    private static let directories = [
        "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
        "/lib/systemd/system",
    ]

    /// What has been assigned to each key of the section of the service, in this order.
    private var values: [String: [String]] = [:]

    /// - Returns: `nil` where there is no such unit.
    init?(_ name: String) {
        let files = UnitSettings.directories.map { $0 + "/" + name }
        guard let unit = files.lazy.compactMap({ MachineFile.load($0) }).first else { return nil }
        read(unit)
        // Of two drop-ins with one name the first is meant; they are read by their names.
        var dropIns: [String: String] = [:]
        for directory in files.reversed() {
            for file in MachineFile.names(in: directory + ".d") ?? [] where file.hasSuffix(".conf") {
                dropIns[file] = directory + ".d/" + file
            }
        }
        for (_, path) in dropIns.sorted(by: { $0.key < $1.key }) { MachineFile.load(path).map { read($0) } }
    }

    /// The words of a list; an empty assignment has thrown away those before it.
    func words(_ key: String) -> [String] { values[key] ?? [] }

    private mutating func read(_ content: [UInt8]) {
        var isService = false
        for line in String(decoding: content, as: UTF8.self).split(separator: "\n") {
            let text = line.drop { $0.isWhitespace }
            if text.hasPrefix("[") { isService = text.hasPrefix("[Service]") }
            guard isService, let equals = text.firstIndex(of: "="), text.first != "#", text.first != ";" else {
                continue
            }
            let key = String(text[..<equals].filter { !$0.isWhitespace })
            let words = text[text.index(after: equals)...].split { $0.isWhitespace }.map(String.init)
            values[key] = words.isEmpty ? [] : (values[key] ?? []) + words
        }
    }
}

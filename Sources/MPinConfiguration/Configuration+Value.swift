// SPDX-License-Identifier: Apache-2.0
internal import CTPM
internal import MPin
internal import MPinWire

extension Configuration {
    /// Sets an option's value, if it has the right form.
    mutating func set(
        _ option: ConfigurationOption, _ value: ByteText, _ origin: Origin, _ position: ConfigurationError.Position
    ) throws(ConfigurationError) {
        if let fault = Configuration.fault(option.row.kind, value) { throw ConfigurationError(position, fault, option) }
        assign(option, value, origin)
    }

    /// The reason why a value is invalid, or nil.
    private static func fault(_ kind: ConfigurationRow.Kind, _ value: ByteText) -> Constant? {
        switch kind {
        case .flag: value.matches("yes") || value.matches("no") ? nil : "must be yes or no"
        case .seconds: value.count <= 3 && 1...120 ~= number(value) ?? 0 ? nil : "must be between 1 and 120 seconds"
        case .tries: number(value).map { 1...3 ~= $0 } ?? false ? nil : "must be between 1 and 3"
        case .method: value.matches("pin") ? nil : "must be pin"
        case .refusal: value.matches("refuse") || value.matches("report") ? nil : "must be refuse or report"
        case .tpm: value.matches("no") || value.matches("auto") ? nil : "must be no or auto"
        case .tpmDevice: deviceFault(value)
        case .path, .pathOrNone:
            isPath(value) || kind == .pathOrNone && value.matches("none") ? nil : "must be an absolute path"
        case .address: Backend(value) == nil ? "must be https://HOST or unix:/PATH" : nil
        case .tlsPin:
            // Without this beginning, libcurl would read a file of that name. With it, a wrong hash fits no key.
            value.rest(after: "sha256//")?.count ?? 0 < 44 ? "must be sha256//HASH, in Base64" : nil
        case .fingerprint: isFingerprint(value) ? nil : "must be 64 hexadecimal digits"
        case .text: 1...200 ~= value.count ? nil : "is empty or longer than 200 bytes"
        case .account: isName(value) ? nil : "must be an account name"
        case .names: areNames(value) ? nil : "must be PAM service names"
        case .template: UserMap(value) == nil ? "must have %u once, and %% for each other %" : nil
        }
    }

    /// The number in a few decimal digits, or nil if there is any other character.
    static func number(_ digits: ByteText) -> Int? {
        var number = 0
        for byte in digits.bytes {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, number < 1_000_000 else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private static func isFingerprint(_ value: ByteText) -> Bool {
        var digits = 0
        for byte in value.bytes where byte != UInt8(ascii: "-") && byte != UInt8(ascii: ":") {
            let letter = byte | 0x20
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= letter
            else {
                return false
            }
            digits += 1
        }
        return digits == 64 && value.count <= 256
    }

    /// Whether a path is absolute, visible, without `..`, and short enough for the system.
    private static func isPath(_ value: ByteText) -> Bool {
        guard 2..<4096 ~= value.count, value.bytes[0] == UInt8(ascii: "/") else { return false }
        for part in value.parts(between: "/") where part.matches("..") { return false }
        return true
    }

    private static func deviceFault(_ value: ByteText) -> Constant? {
        var isDevice: Int32 = 0
        let start = Int(unsafe mpin_tpm_path(value.cString, &isDevice))
        if start < 0 { return "has a path longer than 107 bytes, the limit of a socket address" }
        guard start > 0, isPath(ByteText(Array(value.bytes[start...]))) else {
            return "must be device:/PATH or swtpm:path=/PATH"
        }
        return nil
    }

    private static func areNames(_ value: ByteText) -> Bool {
        for name in names(in: value) where !isName(name) { return false }
        return true
    }

    /// The names in a list, separated by commas or white space.
    static func names(in list: ByteText) -> [ByteText] { list.parts(between: ", \t") }

    private static func isName(_ value: ByteText) -> Bool {
        guard 1...64 ~= value.count, value.bytes[0] != UInt8(ascii: "-") else { return false }
        for byte in value.bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                continue
            default: return false
            }
        }
        return true
    }
}

extension Configuration {
    /// Reads a value and makes it the option's.
    ///
    /// - Returns: what is wrong with the value, or nil.
    mutating func set(_ option: ConfigurationOption, _ value: [UInt8]) -> StaticString? {
        switch option.kind {
        case .flag: return setFlag(option, value)
        case .seconds: return setTimeout(value)
        case .method: return setMethod(option, value)
        case .locality:
            guard let locality = Locality.allCases.first(where: { $0.name.matches(bytes: value) }) else {
                return "is not local or remote"
            }
            undetermined = locality
        case .path:
            guard Configuration.isPath(value) else { return "is not an absolute path" }
            setText(option, value)
        case .address:
            guard Backend(String(decoding: value, as: UTF8.self)) != nil else {
                return "is not https://HOST or unix:/PATH"
            }
            setText(option, value)
        case .text:
            guard 1...200 ~= value.count else { return "is empty or longer than 200 bytes" }
            setText(option, value)
        case .account:
            guard Configuration.isName(value) else { return "is not the name of an account" }
            setText(option, value)
        case .names:
            let names = value.split { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 }.map { Array($0) }
            guard names.allSatisfy(Configuration.isName) else { return "is not a list of names" }
            remoteServices = names.map { String(decoding: $0, as: UTF8.self) }
        case .template:
            guard let map = UserMap(String(decoding: value, as: UTF8.self)) else {
                return "needs %u once and no other % but %%"
            }
            userMap = map
        }
        return nil
    }

    private mutating func setText(_ option: ConfigurationOption, _ value: [UInt8]) {
        let text = String(decoding: value, as: UTF8.self)
        switch option {
        case .conf: file = text
        case .server: server = text
        case .caFile: caFile = text
        case .serverUser: serverUser = text
        case .store: store = text
        case .prompt: prompt = text
        default: break
        }
    }

    private mutating func setFlag(_ option: ConfigurationOption, _ value: [UInt8]) -> StaticString? {
        let flag: Bool
        if ("yes" as StaticString).matches(bytes: value) {
            flag = true
        } else if ("no" as StaticString).matches(bytes: value) {
            flag = false
        } else {
            return "is not yes or no"
        }
        switch option {
        case .guardLast: guardLast = flag
        case .ignoreUnenrolled: ignoreUnenrolled = flag
        case .tryFirstPass: triesFirstPass = flag
        case .useFirstPass: usesFirstPass = flag
        case .debug: debug = flag
        default: break
        }
        return nil
    }

    private mutating func setTimeout(_ value: [UInt8]) -> StaticString? {
        guard 1...3 ~= value.count, value.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return "is not a number of seconds"
        }
        let seconds = value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard 1...120 ~= seconds else { return "is not between 1 and 120 seconds" }
        timeoutSeconds = seconds
        return nil
    }

    private mutating func setMethod(_ option: ConfigurationOption, _ value: [UInt8]) -> StaticString? {
        guard let method = LoginMethod.allCases.first(where: { $0.name.matches(bytes: value) }) else {
            return "is not pin, device or otp"
        }
        if option == .sudoOverSSH { sudoOverSSH = method } else { self.method = method }
        return nil
    }

    /// Absolute, visible, without a step upwards, and short enough for the system.
    private static func isPath(_ value: [UInt8]) -> Bool {
        guard value.first == UInt8(ascii: "/"), 2..<4096 ~= value.count else { return false }
        return value.split(separator: UInt8(ascii: "/")).allSatisfy { !$0.elementsEqual("..".utf8) }
    }

    private static func isName(_ value: [UInt8]) -> Bool {
        1...64 ~= value.count && value[0] != UInt8(ascii: "-")
            && value.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

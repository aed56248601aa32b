// SPDX-License-Identifier: Apache-2.0
import MPinConfiguration

/// An option with a method that this version does not support, so that the module refuses the PIN.
struct ReservedMethod {
    /// The file and the line, the option and its value, and the effect.
    let sentence: String
    /// Whether the option affects every login, and not only `sudo` and similar services in remote sessions.
    let isOfEveryLogin: Bool
    /// Whether it is an argument of the module.
    let isArgument: Bool
}

extension Configuration {
    /// The options whose values are reserved.
    var reservedMethods: [ReservedMethod] {
        let set = [(ConfigurationOption.method, method), (.sudoOverSSH, sudoOverSSH)]
        return set.filter { $0.1 != nil && $0.1 != .pin }.map { option, _ in
            var place = "", isArgument = true
            if case .file(let line) = origin(of: option) { (place, isArgument) = ("\(file) line \(line): ", false) }
            let refused = option == .method ? "every PIN" : "the PIN for sudo and su over ssh"
            return ReservedMethod(
                sentence: "\(place)\(option.name) = \(text(of: option)) is not supported in this version, "
                    + "so pam_mpin.so refuses \(refused)", isOfEveryLogin: option == .method, isArgument: isArgument)
        }
    }
}

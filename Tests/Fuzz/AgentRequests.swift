// SPDX-License-Identifier: Apache-2.0
import MPinAgent
import MPinWire

/// What mpin-agent is sent, by modules and by mpin-enroll.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = unsafe input(start, count)
    let request = AgentRequest(bytes[...])
    let command = CommandRequest(bytes[...])
    demand(request == nil || command == nil)
    if let request {
        demand(!request.account.isEmpty && 0...255 ~= request.memory)
        for text in [request.account, request.service, request.remoteHost] { demand(!text.bytes.contains(0)) }
    }
    if let command {
        demand(!command.account.isEmpty)
        let words = command.words.map(\.string)
        demand(
            [
                "status", "test", "otp", "approve", "change-pin", "deny", "logout", "invite", "backup-codes", "devices",
            ].contains(words[0]) && words[1] == "--served")
        demand(command.asksForPIN == !["status", "deny"].contains(words[0]))
        // Nothing that was sent becomes an option of its own.
        let known = ["--json", "--check", "--then-log-out", "--all", "--yes"]
        let operands = words.dropFirst(words[0] == "devices" ? 3 : 2)
        let options = operands.prefix { $0 != "--" }
        demand(
            options.allSatisfy { option in
                known.contains(option) || option.hasPrefix("--identity=")
                    || ["--ttl=", "--count="].contains {
                        option.hasPrefix($0) && Int(option.dropFirst($0.count)) != nil
                    }
            })
        let rest = operands.dropFirst(options.count)
        let hasValue = ["approve", "deny"].contains(words[0]) || words[0] == "devices" && words[2] == "revoke"
        demand(hasValue ? rest.count == 2 : rest.isEmpty)
        for word in command.words { demand(!word.bytes.contains(0)) }
    }
    return 0
}

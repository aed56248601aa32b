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
        demand(["status", "test", "otp", "approve", "change-pin"].contains(words[0]) && words[1] == "--served")
        demand(command.asksForPIN == (words[0] != "status"))
        // Nothing that was sent becomes an option of its own.
        let known = ["--json", "--check", "--then-log-out"]
        let options = words.dropFirst(2).prefix { $0 != "--" }
        demand(options.allSatisfy { known.contains($0) || $0.hasPrefix("--identity=") })
        let rest = words.dropFirst(2 + options.count)
        demand(rest.isEmpty || words[0] == "approve" && rest.count == 2)
        for word in command.words { demand(!word.bytes.contains(0)) }
    }
    return 0
}

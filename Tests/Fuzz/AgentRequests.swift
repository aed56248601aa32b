// SPDX-License-Identifier: Apache-2.0
import MPinAgent
import MPinWire

/// What mpin-agent is sent, by modules and by mpin-enroll, and what it sends to mpin-enroll.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = unsafe input(start, count)
    let request = AgentRequest(bytes[...])
    let action = ActionRequest(bytes[...])
    demand(request == nil || action == nil)
    if let request {
        demand(!request.account.isEmpty && 0...255 ~= request.memory)
        for text in [request.account, request.service, request.remoteHost] { demand(!text.bytes.contains(0)) }
    }
    if let action {
        demand(!action.account.isEmpty)
        let message = ActionRequest.message(
            action.action, account: action.account.string, identity: action.identity)
        demand(message == bytes)
    }
    var fields = ActionFields(bytes)
    if let failure = ActionFailure(&fields) { demand(failure.fields.bytes.count <= 2 * bytes.count + 64) }
    fields = ActionFields(bytes)
    _ = ActionQuestion(&fields)
    return 0
}

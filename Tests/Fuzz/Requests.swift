// SPDX-License-Identifier: Apache-2.0
import MPinWire

/// What a server reads. Whatever was understood is written and read once more, with the same result.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let body = unsafe input(start, count)
    again(body, { (body) throws(WireError) in try RegisterRequest.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try PassOneRequest.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try PassTwoRequest.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try AuthenticateRequest.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try HelloRequest.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try DirectLoginRequest.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try DeviceStatusRequest.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try OwnerRequest.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try MPinIDRecord.decode(body.span) }, { $0.encode() })
    _ = try? ActivationRequest.decode(body.span)
    _ = try? CodeStatusRequest.decode(body.span)
    _ = try? AccessPollRequest.decode(body.span)
    _ = try? SessionRequest.decode(body.span)
    _ = try? OneTimePasswordRequest.decode(body.span)
    again(
        body, { (body) throws(WireError) in try LogoutRequest.decode(body.span) },
        { $0?.encode() ?? Array("{}".utf8) })
    return 0
}

// SPDX-License-Identifier: Apache-2.0
import MPinWire

/// What a client reads, except the answers with a secret. Whatever was understood is written and read once more.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let body = unsafe input(start, count)
    again(body, { (body) throws(WireError) in try ClientSettings.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try RegisterResponse.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try PassOneResponse.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try PassTwoResponse.decode(body.span) }, { $0.encode() })
    if let answer = try? AuthenticateResponse(body.span) {
        _ = (answer.raw, answer.logoutURL, answer.logoutData, answer.otpTimes, answer.wrongSinceLastLogin)
    }
    again(body, { (body) throws(WireError) in try HelloResponse.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try DeviceStatusResponse.decode(body.span) }, { $0.encode() })
    _ = try? VerifyResponse.decode(body.span)
    again(body, { (body) throws(WireError) in try SessionDetailsResponse.decode(body.span) }, { $0.encode() })
    again(body, { (body) throws(WireError) in try ServiceDescription.decode(body.span) }, { $0.encode() })
    _ = RefusalBody.decode(body.span)
    return 0
}

import MPinWire

/// The files of a machine's store: registrations, and what logins leave behind.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let file = unsafe input(start, count)
    var secret = [UInt8](repeating: 0, count: 65)
    var output = [UInt8](repeating: 0, count: 32_768)
    for range in (try? StoredUser.records(in: file.span)) ?? [] {
        demand(range.lowerBound >= 0 && range.upperBound <= file.count)
        var token = secret.mutableSpan
        guard let (user, hasToken) = try? StoredUser.decode(file.span, at: range, token: &token) else { continue }
        var target = output.mutableSpan
        let start = StoredFile.begin(.users, in: &target)
        let end =
            hasToken
            ? user.encode(token: secret.span, to: &target, at: start) : user.encode(token: nil, to: &target, at: start)
        guard let length = StoredFile.end(in: &target, at: end), length <= 32_768 else { continue }
        // What was written is one record that can be read.
        let written = Array(output.prefix(length))
        let ranges = (try? StoredUser.records(in: written.span)) ?? []
        demand(ranges.count == 1)
        var copy = [UInt8](repeating: 0, count: 65)
        var copied = copy.mutableSpan
        let again = try? StoredUser.decode(written.span, at: ranges[0], token: &copied)
        demand(again?.hasToken == hasToken && again?.user.mpinID == user.mpinID)
        if hasToken { demand(copy == secret) }
    }
    for range in (try? StoredLogin.records(in: file.span)) ?? [] {
        var share = secret.mutableSpan
        guard let login = try? StoredLogin.decode(file.span, at: range, share: &share) else { continue }
        var target = output.mutableSpan
        _ =
            login.day == nil
            ? login.encode(share: nil, to: &target, at: 0) : login.encode(share: secret.span, to: &target, at: 0)
    }
    return 0
}

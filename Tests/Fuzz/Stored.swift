// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinWire

/// The files of a machine's store: registrations, and what logins leave behind.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let file = unsafe input(start, count)
    var secret = [UInt8](repeating: 0, count: 65)
    var deviceSecret = [UInt8](repeating: 0, count: 32)
    var output = [UInt8](repeating: 0, count: 32_768)
    for record in (try? StoredUser.records(in: file.span)) ?? [] {
        demand(record.range.lowerBound >= 0 && record.range.upperBound <= file.count)
        var token = secret.mutableSpan
        var device = deviceSecret.mutableSpan
        guard
            let user = try? StoredUser.decode(file.span, at: record, token: &token, deviceSecret: &device)
        else { continue }
        // A record has its key, or the blob of a TPM that has it, or it is of 2016.
        let hasToken = user.hasToken
        let hasSecret = user.device.map { $0.tpmKey == nil } ?? false
        let (readToken, readSecret) = (secret, deviceSecret)
        var target = output.mutableSpan
        let start = StoredFile.begin(.users, version: StoredUser.version, in: &target)
        let end = user.encode(
            token: hasToken ? readToken.span : nil, deviceSecret: hasSecret ? readSecret.span : nil, to: &target,
            at: start)
        guard let length = StoredFile.end(in: &target, at: end), length <= 32_768 else { continue }
        // What was written is one record that can be read.
        let written = Array(output.prefix(length))
        let records = (try? StoredUser.records(in: written.span)) ?? []
        demand(records.count == 1)
        var copy = [UInt8](repeating: 0, count: 65)
        var deviceCopy = [UInt8](repeating: 0, count: 32)
        var copied = copy.mutableSpan
        var deviceCopied = deviceCopy.mutableSpan
        let again = try? StoredUser.decode(
            written.span, at: records[0], token: &copied, deviceSecret: &deviceCopied)
        demand(again?.hasToken == hasToken && again?.mpinID == user.mpinID)
        demand(again?.device?.key == user.device?.key && again?.device?.tpmKey == user.device?.tpmKey)
        demand(again?.device?.serverKey == user.device?.serverKey && again?.device?.source == user.device?.source)
        if hasToken { demand(copy == readToken) }
        if hasSecret { demand(deviceCopy == readSecret) }
    }
    for record in (try? StoredLogin.records(in: file.span)) ?? [] {
        var share = secret.mutableSpan
        guard let login = try? StoredLogin.decode(file.span, at: record, share: &share) else { continue }
        var target = output.mutableSpan
        _ =
            login.day == nil
            ? login.encode(share: nil, to: &target, at: 0) : login.encode(share: secret.span, to: &target, at: 0)
    }
    return 0
}

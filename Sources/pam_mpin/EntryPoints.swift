// SPDX-License-Identifier: Apache-2.0
internal import CPAM
internal import MPinPAM
internal import MPinWire

// The functions that libpam calls. Each collects its arguments and leaves everything else to `Module`.

private typealias Arguments = UnsafeMutablePointer<UnsafePointer<CChar>?>

private func module(
    _ handle: OpaquePointer?, _ flags: CInt, _ count: CInt, _ arguments: Arguments?
) -> Module<PAMHost, InstalledSystem>? {
    guard let handle = unsafe handle else { return nil }
    guard mpin_pam_has_memory() != 0 else {
        unsafe mpin_pam_log(handle, LogLevel.fault.rawValue, "not enough memory or stack for a login")
        return nil
    }
    var texts: [ByteText] = []
    for index in 0..<max(0, Int(count)) {
        guard let text = unsafe arguments?[index] else { return nil }
        unsafe texts.append(ByteText(cString: text))
    }
    return unsafe Module(host: PAMHost(handle, flags: flags), system: InstalledSystem(), arguments: texts)
}

/// The code if no call can be made. A user who caused that for another account gets the usual refusal there.
private func withoutCall(_ handle: OpaquePointer?) -> CInt {
    guard let handle = unsafe handle, unsafe mpin_pam_is_another_user(handle) != 0 else { return PAM_SYSTEM_ERR }
    return PAM_AUTH_ERR
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation public func pam_sm_authenticate(
    _ pamh: OpaquePointer?, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt {
    guard var module = unsafe module(pamh, flags, argc, argv) else { return unsafe withoutCall(pamh) }
    return CInt(module.authenticate().rawValue)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation public func pam_sm_setcred(
    _ pamh: OpaquePointer?, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt { PAM_SUCCESS }

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation public func pam_sm_acct_mgmt(
    _ pamh: OpaquePointer?, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt {
    guard var module = unsafe module(pamh, flags, argc, argv) else { return PAM_SYSTEM_ERR }
    return CInt(module.account().rawValue)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation public func pam_sm_open_session(
    _ pamh: OpaquePointer?, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt { PAM_SUCCESS }

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation public func pam_sm_close_session(
    _ pamh: OpaquePointer?, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt { PAM_SUCCESS }

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation public func pam_sm_chauthtok(
    _ pamh: OpaquePointer?, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt {
    guard var module = unsafe module(pamh, flags, argc, argv) else { return unsafe withoutCall(pamh) }
    let isProof = flags & PAM_PRELIM_CHECK != 0
    return CInt((isProof ? module.proveCurrentPIN() : module.setNewPIN()).rawValue)
}

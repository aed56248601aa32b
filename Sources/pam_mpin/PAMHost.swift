// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import CPAM
internal import MPin
internal import MPinPAM
internal import MPinWire

/// The host program behind a PAM handle.
@safe struct PAMHost: Host {
    private let handle: OpaquePointer
    let isSilent: Bool
    let wantsAgedOnly: Bool

    init(_ handle: OpaquePointer, flags: CInt) {
        unsafe self.handle = unsafe handle
        wantsAgedOnly = flags & CInt(truncatingIfNeeded: PAM_CHANGE_EXPIRED_AUTHTOK) != 0
        isSilent = flags & CInt(truncatingIfNeeded: PAM_SILENT) != 0
    }

    func userName() -> ByteText? {
        guard let name = unsafe mpin_pam_user(handle) else { return nil }
        // No account has a name that is not UTF-8.
        let text = unsafe ByteText(cString: name)
        return UTF8Sequence.isWellFormed(text.bytes.span) ? text : ByteText()
    }

    func service() -> ByteText { unsafe ByteText(cString: mpin_pam_text(handle, PAM_SERVICE)) }

    func remoteHost() -> ByteText? { unsafe ByteText(cString: mpin_pam_text(handle, PAM_RHOST)) }

    func ask(_ prompt: ByteText, into pin: inout PIN) -> PromptAnswer {
        unsafe receive(into: &pin) { bytes, capacity, count in
            unsafe mpin_pam_ask(handle, prompt.cString, bytes, capacity, &count)
        }
    }

    func firstPass(into pin: inout PIN) -> PromptAnswer {
        unsafe receive(into: &pin) { bytes, capacity, count in
            unsafe mpin_pam_first_pass(handle, bytes, capacity, &count)
        }
    }

    /// Has an answer written into memory for PINs, and nowhere else.
    private func receive(
        into pin: inout PIN, _ source: (UnsafeMutablePointer<UInt8>?, Int, inout Int) -> mpin_pam_answer
    ) -> PromptAnswer {
        var count = 0
        var answer = MPIN_PAM_FAILED
        pin.wipe()
        pin.fill(count: PIN.longest) { bytes in
            unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                answer = unsafe source(buffer.baseAddress, buffer.count, &count)
            }
        }
        pin.fill(count: count) { _ in }
        switch answer {
        case MPIN_PAM_TEXT: return .text
        case MPIN_PAM_EMPTY: return .empty
        case MPIN_PAM_TOO_LONG: return .tooLong
        default: return .failed
        }
    }

    func tell(_ text: ByteText, isError: Bool) { unsafe mpin_pam_tell(handle, text.cString, isError ? 1 : 0) }

    func log(_ line: ByteText, _ level: LogLevel) { unsafe mpin_pam_log(handle, level.rawValue, line.cString) }

    func requestDelay(microseconds: UInt32) { unsafe mpin_pam_delay(handle, microseconds) }

    func caller(about account: ByteText) -> Caller {
        let facts = unsafe mpin_pam_caller(handle, account.cString)
        return Caller(
            realUID: unsafe facts.real_uid, startingUID: unsafe facts.starting_uid,
            accountUID: unsafe UInt32(exactly: facts.account_uid),
            accountName: unsafe facts.account_name.map { unsafe ByteText(cString: $0) },
            place: unsafe UserPlace(facts.place),
            controlsProcess: unsafe facts.controls_process != 0, isAnotherUser: unsafe facts.is_another_user != 0)
    }

    func correlation() -> UInt32 { mpin_pam_random() }

    func memory(of account: ByteText) -> Int { unsafe Int(mpin_pam_memory(handle, account.cString)) }

    func setMemory(_ value: Int, of account: ByteText) {
        unsafe mpin_pam_set_memory(handle, account.cString, CInt(truncatingIfNeeded: value))
    }

    func forward(_ password: borrowing PIN) {
        password.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe mpin_pam_forward(handle, $0.baseAddress, $0.count) }
        }
    }

    func keep(_ pin: consuming PIN) {
        let box = unsafe Unmanaged.passRetained(KeptPIN(pin)).toOpaque()
        let isKept = unsafe mpin_pam_keep(handle, box) { object in
            guard let object = unsafe object else { return }
            unsafe Unmanaged<KeptPIN>.fromOpaque(object).release()
        }
        if isKept == 0 { unsafe Unmanaged<KeptPIN>.fromOpaque(box).release() }
    }

    func takeKept() -> PIN? {
        guard let object = unsafe mpin_pam_kept(handle) else { return nil }
        return unsafe Unmanaged<KeptPIN>.fromOpaque(object).takeUnretainedValue().pin.take()
    }

    func askAgent(
        at path: ByteText, isAccountPhase: Bool, ignoresUnenrolled: Bool, forwardsPassword: Bool
    ) -> AgentAnswer {
        let flags =
            (isAccountPhase ? MPIN_AGENT_ACCOUNT_PHASE : 0) | (isSilent ? MPIN_AGENT_SILENT : 0)
            | (ignoresUnenrolled ? MPIN_AGENT_IGNORE_UNENROLLED : 0)
            | (forwardsPassword ? MPIN_AGENT_FORWARD_PASS : 0)
        let answer = unsafe mpin_pam_agent(handle, path.cString, UInt32(truncatingIfNeeded: flags))
        if answer == CInt(MPIN_AGENT_ABSENT) { return .absent }
        guard let byte = UInt8(exactly: answer), let code = ReturnCode(rawValue: byte) else { return .failed }
        return .ended(code)
    }
}

/// A PIN between the two halves of a change; wiped at the latest with the PAM handle.
final class KeptPIN {
    var pin: PIN?

    init(_ pin: consuming PIN) { self.pin = consume pin }
}

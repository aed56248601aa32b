// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPin
package import MPinWire

/// The host program that calls the module through libpam.
///
/// The only implementation on top of libpam is beside the entry points; tests have a scripted one. This protocol uses
/// no type of libpam.
package protocol Host {
    /// The account to log in; nil if there is none.
    mutating func userName() -> ByteText?

    mutating func service() -> ByteText

    /// The remote host that the user comes from, if the host names one.
    mutating func remoteHost() -> ByteText?

    /// Prompts for a secret (PAM_PROMPT_ECHO_OFF).
    ///
    /// - Parameter pin: receives the answer; empty unless ``PromptAnswer/text``.
    mutating func ask(_ prompt: ByteText, into pin: inout PIN) -> PromptAnswer

    /// Reads the password that another module of the stack has asked for.
    ///
    /// - Parameter pin: receives the password; empty unless ``PromptAnswer/text``.
    mutating func firstPass(into pin: inout PIN) -> PromptAnswer

    mutating func tell(_ text: ByteText, isError: Bool)

    var isSilent: Bool { get }

    /// Whether only an expired secret is to be changed.
    var wantsAgedOnly: Bool { get }

    /// Writes one line to the system's log.
    mutating func log(_ line: ByteText, _ level: LogLevel)

    /// Requests a delay after the failure of the whole stack (pam_fail_delay).
    mutating func requestDelay(microseconds: UInt32)

    /// The system's facts about the process and user that run the host.
    mutating func caller(about account: ByteText) -> Caller

    mutating func machineName() -> ByteText

    /// A random number of the system that all log lines of one attempt share.
    mutating func correlation() -> UInt32

    /// Milliseconds on the monotonic clock.
    func milliseconds() -> Int64

    /// Waits until ``milliseconds()`` has reached a value.
    mutating func wait(until milliseconds: Int64)

    /// A small integer per account that is stored as long as the PAM handle exists; 0 at first.
    func memory(of account: ByteText) -> Int
    mutating func setMemory(_ value: Int, of account: ByteText)

    /// Passes a password on to the next modules of the stack (PAM_AUTHTOK).
    mutating func forward(_ password: borrowing PIN)

    /// Keeps a PIN until it is taken back, at most as long as the PAM handle exists.
    mutating func keep(_ pin: consuming PIN)

    mutating func takeKept() -> PIN?

    /// Passes this call to mpin-agent, for a process that may not read the store.
    ///
    /// The request, the prompts and the messages pass through the host. Nothing is sent if the agent does not belong to
    /// root.
    /// - Parameter path: the agent's socket, or `none`.
    mutating func askAgent(
        at path: ByteText, isAccountPhase: Bool, ignoresUnenrolled: Bool, forwardsPassword: Bool
    ) -> AgentAnswer
}

extension Host {
    package func machineName() -> ByteText {
        var name = [CChar](repeating: 0, count: 256)
        unsafe mpin_host_name(&name, name.count)
        let text = unsafe ByteText(cString: name)
        return text.isEmpty ? "this machine" : text
    }

    package func milliseconds() -> Int64 { mpin_monotonic_ns() / nanosecondsPerMillisecond }

    package func wait(until milliseconds: Int64) { mpin_pause_until_ns(milliseconds * nanosecondsPerMillisecond) }

    private var nanosecondsPerMillisecond: Int64 { 1_000_000 }
}

/// The level of a line in the system's log, with syslog's priority.
package enum LogLevel: CInt, Sendable {
    /// The machine is not set up correctly.
    case fault = 3
    case refusal = 5
    /// A login succeeded, or the account was skipped.
    case note = 6
    /// Only logged with `debug`.
    case debug = 7
}

package enum PromptAnswer: Sendable, Equatable {
    case text
    case empty
    /// The text is longer than any PIN.
    case tooLong
    /// The PAM conversation failed or was interrupted.
    case failed
}

/// The result of a call that was passed to mpin-agent.
package enum AgentAnswer: Sendable, Equatable {
    case absent
    /// The agent closed the connection before it sent a result, or its answers are invalid.
    case failed
    /// The agent has made the call, shown the messages and written the log.
    case ended(ReturnCode)
}

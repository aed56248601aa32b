package import MPin
package import MPinWire

/// The host program that calls the module through libpam.
///
/// The one implementation with libpam behind it lies with the entry points; tests have a scripted one. Nothing here
/// knows a type of libpam's.
package protocol Host {
    /// The account to log in; nil when there is none.
    mutating func userName() -> ByteText?

    /// A fact the host has set, or nil.
    mutating func item(_ item: HostItem) -> ByteText?

    /// Prompts for a secret (PAM_PROMPT_ECHO_OFF).
    ///
    /// - Parameter pin: receives the answer; empty unless ``PromptAnswer/text``.
    mutating func ask(_ prompt: ByteText, into pin: inout PIN) -> PromptAnswer

    /// The password another module of the stack has asked for.
    ///
    /// - Parameter pin: receives it; empty unless ``PromptAnswer/text``.
    mutating func firstPass(into pin: inout PIN) -> PromptAnswer

    /// Shows a message.
    mutating func tell(_ text: ByteText, isError: Bool)

    /// Whether the host wants no messages.
    var isSilent: Bool { get }

    /// Whether only a secret that has aged is to be changed.
    var wantsAgedOnly: Bool { get }

    /// Writes one line to the system's log.
    mutating func log(_ line: ByteText, _ level: LogLevel)

    /// Requests a delay after the failure of the whole stack (pam_fail_delay).
    mutating func requestDelay(microseconds: UInt32)

    /// What the system reports about the process and user that run the host.
    mutating func caller(about account: ByteText) -> Caller

    /// The name of this machine.
    mutating func machineName() -> ByteText

    /// A number that the lines of one attempt have in common, from the system's random numbers.
    mutating func correlation() -> UInt32

    /// Milliseconds on the monotonic clock.
    func milliseconds() -> Int64

    /// Waits until ``milliseconds()`` has reached a value.
    mutating func wait(until milliseconds: Int64)

    /// A small integer for an account that lasts as long as the PAM handle; 0 at first.
    func memory(of account: ByteText) -> Int
    mutating func setMemory(_ value: Int, of account: ByteText)

    /// Keeps a PIN as long as the PAM handle, or until it is taken back.
    mutating func keep(_ pin: consuming PIN)

    /// Takes back the PIN that was kept.
    mutating func takeKept() -> PIN?

    /// Has mpin-agent make this call, for a process that may not read the store.
    ///
    /// The request, the prompts and what is told pass through the host; nothing is sent where the agent is not root's.
    /// - Parameter path: its socket, or `none`.
    mutating func askAgent(at path: ByteText, isAccountPhase: Bool, ignoresUnenrolled: Bool) -> AgentAnswer
}

// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import CMPinSystem
internal import MPinConfiguration
internal import MPinPAM
internal import MPinWire

/// A command for the user at the other end of a connection, for which the worker becomes mpin-enroll.
///
/// mpin-enroll then runs as sudo would have run it for that user, but with the connection instead of a terminal.
struct CommandCall {
    let connection: Int32
    /// The configuration file; nil for the standard one.
    let configuration: ByteText?

    /// The exit codes of mpin-enroll.
    private static var internalFault: UInt8 { 70 }
    private static var notPermitted: UInt8 { 77 }
    private static var badConfiguration: UInt8 { 78 }

    /// Runs the command. Returns only if the command is refused, or cannot be run.
    ///
    /// - Parameter isRemoteSession: nil if the system does not know.
    func run(_ request: CommandRequest, isRemoteSession: Bool?) {
        if request.asksForPIN {
            do throws(ConfigurationError) {
                guard try takesPIN(isRemoteSession: isRemoteSession) else {
                    refuse(
                        Self.notPermitted,
                        "This session counts as remote, so mpin-agent takes no PIN. Use sudo, or set method = pin.")
                    return
                }
            } catch {
                refuse(Self.badConfiguration, error.text)
                return
            }
        }
        become(request)
        refuse(
            Self.internalFault,
            "mpin-agent cannot run mpin-enroll: it must be in the same directory. Use sudo instead.")
    }

    /// Whether the configuration allows the PIN in this session; otherwise users prove their identity in another way.
    private func takesPIN(isRemoteSession: Bool?) throws(ConfigurationError) -> Bool {
        let configuration = try InstalledSystem().configuration(
            arguments: self.configuration.map { ["conf=" + $0] } ?? [])
        let service: ByteText = "mpin-enroll"
        let locality = Locality(
            service: service, remoteHost: nil, isRemoteSession: isRemoteSession, configuration: configuration)
        return MethodRule.choose(locality, service: service, configuration: configuration).method == .pin
    }

    private func become(_ request: CommandRequest) {
        var words = ["mpin-enroll"] + request.words
        // After the command and its options, and before a value, which has to stay the last.
        if let configuration {
            words.insert("--config=" + configuration, at: words.firstIndex(of: "--") ?? words.count)
        }
        _ = unsafe ProgramArguments(words).withPointers { unsafe mpin_agent_become_enroll($0, request.account.cString) }
    }

    private func refuse(_ code: UInt8, _ text: ByteText) {
        let message = [UInt8(truncatingIfNeeded: MPIN_AGENT_ERROR)] + text.bytes
        unsafe mpin_agent_send(connection, message, message.count)
        let exit = [UInt8(truncatingIfNeeded: MPIN_AGENT_EXIT), code]
        unsafe mpin_agent_send(connection, exit, exit.count)
    }
}

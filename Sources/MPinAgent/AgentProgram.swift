// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import CMPinSystem
internal import MPin
internal import MPinWire

/// The program `mpin-agent`: its arguments and its start.
public enum AgentProgram {
    /// The exit codes, the same as in the other programs.
    private static var usageFault: Int32 { 64 }
    private static var socketFault: Int32 { 73 }

    static var usage: ByteText {
        """
        usage: mpin-agent [--listen unix:/PATH] [--config FILE] | --version | --help
        Log in with M-Pin for programs that may not read the token store, such as screen lockers.
        Without --listen, use the socket that systemd passes (LISTEN_FDS).
        """
    }

    /// - Parameter arguments: the arguments, including the program's own name.
    /// - Returns: the exit code.
    public static func run(_ arguments: [String]) -> Int32 {
        var path: ByteText?
        var configuration: ByteText?
        var isWorker = false, isSilent = false
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            switch option {
            case "--worker": isWorker = true
            // A worker that does not log that it refuses a request.
            case "--silent-worker": (isWorker, isSilent) = (true, true)
            case "--help", "-h":
                unsafe mpin_agent_say(0, usage.cString)
                return 0
            case "--version":
                unsafe mpin_agent_say(0, ByteText(MPinClient.version.utf8.map { $0 }).cString)
                return 0
            case "--listen":
                guard let value = rest.popFirst(), value.hasPrefix("unix:/") else {
                    return fail(usageFault, "--listen needs unix: and an absolute path\n" + usage)
                }
                path = ByteText(value.dropFirst(5).utf8.map { $0 })
            case "--config":
                guard let value = rest.popFirst(), value.hasPrefix("/") else {
                    return fail(usageFault, "--config needs an absolute path\n" + usage)
                }
                configuration = ByteText(value.utf8.map { $0 })
            default: return fail(usageFault, "unknown argument " + ByteText(option.utf8.map { $0 }) + "\n" + usage)
            }
        }
        if isWorker {
            let isAccepted = AgentWorker(configuration: configuration, isSilent: isSilent).serve()
            return isAccepted ? 0 : Int32(MPIN_AGENT_REFUSED)
        }
        return listen(path, configuration)
    }

    private static func listen(_ path: ByteText?, _ configuration: ByteText?) -> Int32 {
        // Clients refuse every other agent, and only root can read the store.
        guard mpin_effective_uid() == 0 else {
            return fail(77, "must run as root\nRun: sudo mpin-agent --listen unix:/PATH")
        }
        let inherited = mpin_agent_inherited()
        guard inherited != -2 else {
            return fail(socketFault, "systemd must pass exactly one listening socket, of type SOCK_SEQPACKET")
        }
        let socket: Int32
        if let path {
            socket = unsafe mpin_agent_listen(path.cString)
            guard socket >= 0 else {
                return fail(socketFault, "cannot listen on " + path + ": " + reason(socket))
            }
        } else {
            guard inherited >= 0 else { return fail(usageFault, "systemd passed no socket, so use --listen\n" + usage) }
            socket = inherited
        }
        let signals = mpin_agent_signals()
        guard signals >= 0 else { return fail(70, "cannot receive signals") }
        if let path { unsafe mpin_agent_say(0, ("mpin-agent ready on unix:" + path).cString) }
        var listener = AgentListener(
            socket: socket, signals: signals, configuration: configuration, patience: path == nil ? idleTime : -1)
        listener.run()
        return 0
    }

    /// systemd starts the agent again with the next connection.
    private static var idleTime: Int32 { 60_000 }

    private static func reason(_ code: Int32) -> ByteText {
        switch Int(code) {
        case MPIN_UNSAFE_PARENT, MPIN_UNSAFE_PATH:
            "users other than root can change its directory, or one above it.\n"
                + "Use a directory that only root can change: sudo install -d -o root -g root -m 0755 /run/mpin-agent"
        default: unsafe ByteText(cString: mpin_agent_reason(-code))
        }
    }

    private static func fail(_ code: Int32, _ text: ByteText) -> Int32 {
        unsafe mpin_agent_say(1, ("mpin-agent: " + text).cString)
        return code
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import CMPinSystem
internal import MPinPAM
internal import MPinWire

/// Accepts connections and starts a worker for each one that there is room for.
struct AgentListener {
    private let socket: Int32
    private let signals: Int32
    /// The configuration file of a worker; nil for the standard one.
    private let configuration: ByteText?
    /// How long to wait for a connection while there is no worker, in milliseconds; below zero without a limit.
    private let patience: Int32
    private var places = ConnectionPlaces()
    /// Users who were refused since they last had room, so that a flood causes only one line in the log.
    private var refused: Set<UInt32> = []
    private var lines = RefusalLines()
    /// Workers that do not log that they refuse their request.
    private var silent: Set<Int32> = []

    init(socket: Int32, signals: Int32, configuration: ByteText?, patience: Int32) {
        (self.socket, self.signals, self.configuration, self.patience) = (socket, signals, configuration, patience)
    }

    /// Listens until a signal ends it, or until it has been idle long enough.
    mutating func run() {
        while true {
            let idle = lines.isCounting ? Int32(RefusalLines.period) * 1000 : places.isEmpty ? patience : -1
            let event = Int(mpin_agent_wait(socket, signals, idle))
            let isIdle = event == 0 && places.isEmpty && patience >= 0
            let isToEnd = event & MPIN_AGENT_SIGNAL != 0 && mpin_agent_is_to_end(signals) != 0
            for line in lines.end(at: isIdle || isToEnd ? nil : Self.now) {
                unsafe mpin_agent_log(LogLevel.refusal.rawValue, line.cString)
            }
            if isIdle || isToEnd { return }
            if event & MPIN_AGENT_SIGNAL != 0 { reap() }
            if event & MPIN_AGENT_CONNECTION != 0 { accept() }
        }
    }

    private static var now: Int64 { mpin_monotonic_ns() / 1_000_000_000 }

    private mutating func reap() {
        while true {
            var status: Int32 = 0
            let ended = unsafe mpin_agent_reap(&status)
            guard ended > 0 else { return }
            let isSilent = silent.remove(ended) != nil
            guard let user = places.free(ended), status == MPIN_AGENT_REFUSED else { continue }
            lines.note(user, isWritten: !isSilent, at: Self.now)
        }
    }

    private mutating func accept() {
        var peer = mpin_agent_peer()
        let connection = unsafe mpin_agent_accept(socket, &peer)
        guard connection >= 0 else {
            // Without descriptors the connection stays pending; trying again at once would only waste time.
            if connection == -CInt(MPIN_EMFILE) || connection == -CInt(MPIN_ENFILE) { mpin_pause_ns(100_000_000) }
            return
        }
        let user = mpin_agent_is_subordinate(peer.uid) != 0 ? ConnectionPlaces.containers : peer.uid
        guard places.hasRoom(for: user) else {
            let isFirst = refused.insert(user).inserted
            let isWritten = isFirst && lines.hasRoom(for: user)
            refuse(connection, peer.uid, isWritten: isWritten)
            if isFirst { lines.note(user, isWritten: isWritten, at: Self.now) }
            return
        }
        refused.remove(user)
        let isSilent = !lines.hasRoom(for: user)
        let process = start(connection, isSilent: isSilent)
        if process > 0 {
            places.take(process, for: user)
            if isSilent { silent.insert(process) }
        } else {
            unsafe mpin_agent_log(LogLevel.fault.rawValue, "cannot start a worker")
        }
        // The worker has a descriptor of its own.
        mpin_agent_close(connection, nil, 0)
    }

    private func start(_ connection: Int32, isSilent: Bool) -> Int32 {
        unsafe mpin_agent_start(connection, configuration?.cString, isSilent ? 1 : 0)
    }

    private func refuse(_ connection: Int32, _ user: UInt32, isWritten: Bool) {
        let text: ByteText = "Too many M-Pin logins and commands at once. Try again in a moment."
        let message = [UInt8(truncatingIfNeeded: MPIN_AGENT_ERROR)] + text.bytes
        unsafe mpin_agent_close(connection, message, message.count)
        guard isWritten else { return }
        var line: ByteText = "uid="
        line.append(decimal: Int(user))
        line.append(" result=BUSY reason=\"too many connections at once\"")
        unsafe mpin_agent_log(LogLevel.refusal.rawValue, line.cString)
    }
}

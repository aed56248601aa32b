// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage
internal import SystemFiles

/// The database and the key that belongs to it are in a directory of their own, so that they change as a whole.
extension ServerDirectory {
    var state: String { "\(path)/state" }

    /// The state that a command makes. One that an interrupted command has left is removed by the next.
    private var nextState: String { state + ".new" }

    static func database(in state: String) -> String { "\(state)/mpin.sqlite" }

    /// Makes a new state, and exchanges it for the present one. A crash at any point leaves one of the two, complete.
    ///
    /// The caller holds the lock of the directory.
    ///
    /// - Parameter make: fills an empty directory with a database and its key.
    /// - Returns: the result of `make`, and the new name of the replaced state; nil if there was none.
    func replaceState<Result>(
        _ make: (_ state: String) throws(ServerError) -> Result
    ) throws(ServerError) -> (made: Result, before: String?) {
        removeNextState()
        try Self.makeDirectory(nextState)
        do throws(ServerError) {
            if FileFacts.isThere(state) { try demandExchange() }
            let made = try make(nextState)
            for name in try names(in: nextState) { try PrivateFile.sync("\(nextState)/\(name)") }
            try PrivateFile.sync(nextState)
            return (made, try useNextState())
        } catch {
            removeNextState()
            throw error
        }
    }

    private func useNextState() throws(ServerError) -> String? {
        var before: String?
        if FileFacts.isThere(state) {
            let kept = unusedName(state, ServerClock.system.now)
            // The replaced state then has its lasting name from the start.
            try PrivateFile.rename(nextState, to: kept)
            do throws(SystemError) { try Directory.exchange(kept, state) } catch {
                try PrivateFile.rename(kept, to: nextState)
                throw noExchange(error)
            }
            before = kept
        } else {
            try PrivateFile.rename(nextState, to: state)
        }
        try PrivateFile.sync(path)
        return before
    }

    /// Makes sure that the file system can exchange two directories, before anything changes.
    private func demandExchange() throws(ServerError) {
        let probe = state + ".probe"
        unsafe rmdir(probe)
        try Self.makeDirectory(probe)
        defer { unsafe rmdir(probe) }
        do throws(SystemError) { try Directory.exchange(nextState, probe) } catch { throw noExchange(error) }
    }

    private func noExchange(_ error: SystemError) -> ServerError {
        ServerError(
            .storage, "the file system of \(path) cannot exchange two directories: \(error.text)",
            hint: "Nothing was changed. Move the directory to another file system, such as ext4, XFS or Btrfs.")
    }

    private func names(in path: String) throws(ServerError) -> [String] {
        do throws(SystemError) { return try Directory.names(in: path) } catch {
            throw ServerError(.storage, "cannot read \(path): \(error.text)", hint: "Nothing was changed.")
        }
    }

    private static func makeDirectory(_ path: String) throws(ServerError) {
        guard unsafe mkdir(path, 0o700) == 0 else {
            throw ServerError(
                .cannotCreate, "cannot create \(path): \(SystemError().text)", hint: "Nothing was changed.")
        }
    }

    private func removeNextState() {
        for name in (try? Directory.names(in: nextState)) ?? [] { unsafe unlink("\(nextState)/\(name)") }
        unsafe rmdir(nextState)
    }

    /// An unused name in this directory for something that a command replaces.
    func unusedName(_ file: String, _ now: Timestamp) -> String {
        let time = now.zulu.filter { $0 != "-" && $0 != ":" }
        let name = "\(path)/\(FileName.last(of: file)).before-\(time)"
        guard FileFacts.isThere(name) else { return name }
        return (2...).lazy.map { "\(name).\($0)" }.first { !FileFacts.isThere($0) } ?? name
    }
}

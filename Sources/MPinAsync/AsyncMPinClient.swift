// SPDX-License-Identifier: Apache-2.0
public import MPin

/// The M-Pin client for async programs: ``/MPin/MPinClient`` in an actor with a thread of its own.
///
/// Each call of the client has an async form here, with the same name, which waits without keeping a thread from other
/// tasks. Calls run one after the other, in their order. Properties such as ``users``, ``backend`` and ``isNewAccount``
/// are calls too: they wait for their turn, and throw if the task is canceled.
///
/// If the task of a call is canceled, the call ends within 100 milliseconds. It throws an ``/MPin/MPinError``, never a
/// `CancellationError`: its status is NETWORK_ERROR, and its ``/MPin/MPinError/reason`` is
/// ``/MPin/MPinError/Reason/canceled``. If a PIN has been sent by then, its ``/MPin/MPinError/pinChecked`` is
/// ``/MPin/MPinError/PINChecked/maybe``: the server may have counted it. Only an application's own store can make a
/// canceled call wait: for the function that is running.
///
/// Users are values of type ``UserInfo``. Calls take their ``UserInfo/id``, and those that change a user return its new
/// value. A PIN stays with the caller: calls borrow it. One `Task`, or one `async let`, can capture a PIN from a local
/// constant, but not from a `borrowing` parameter. A child task of a group makes its own PIN.
public actor AsyncMPinClient {
    private nonisolated let executor: ClientExecutor
    private nonisolated let turns = CallTurns()
    private let state: ClientState

    /// The thread of this client.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens an account's identities in a directory.
    ///
    /// - Parameters:
    ///   - store: the account's part of the directory.
    ///   - options: how to reach servers.
    /// - Throws: STORAGE_ERROR if the account's file cannot be read; FLOW_ERROR for a time limit that is not positive;
    ///   CRYPTO_ERROR without memory for a thread.
    public init(store: sending FileStore, options: TransportOptions = TransportOptions()) async throws(MPinError) {
        let executor = try ClientExecutor()
        state = try await ClientOpener(executor).open(store, options)
        self.executor = executor
    }

    /// Opens an account's identities in a store of the application's own. Its functions are called on the client's
    /// thread.
    ///
    /// - Parameters:
    ///   - store: the account's records.
    ///   - area: the records that logins use, or the staging area for a new registration.
    ///   - options: how to reach servers.
    /// - Throws: what the store throws; FLOW_ERROR for a time limit that is not positive; CRYPTO_ERROR without memory for
    ///   a thread.
    public init(
        store: sending any RegistrationStore, area: FileStore.Area = .users,
        options: TransportOptions = TransportOptions()
    ) async throws(MPinError) {
        let executor = try ClientExecutor()
        state = try await ClientOpener(executor).open(store, area, options)
        self.executor = executor
    }

    /// Makes a call of the client on its thread, once it has its turn. Ends it soon after the task is canceled.
    nonisolated func call<Result: Sendable>(
        _ work: @Sendable (ClientState) throws(MPinError) -> Result
    ) async throws(MPinError) -> Result {
        guard await turns.take() else { throw MPinError.canceledBeforeCall }
        do throws(MPinError) {
            let result = try await callInTurn(work)
            await turns.give()
            return result
        } catch {
            await turns.give()
            throw error
        }
    }

    private nonisolated func callInTurn<Value: Sendable>(
        _ work: @Sendable (ClientState) throws(MPinError) -> Value
    ) async throws(MPinError) -> Value {
        let signal = try StopSignal()
        let result = await withTaskCancellationHandler {
            await perform(signal, work)
        } onCancel: {
            signal.stop()
        }
        return try result.get()
    }

    private func perform<Value: Sendable>(
        _ signal: StopSignal, _ work: @Sendable (ClientState) throws(MPinError) -> Value
    ) -> Result<Value, MPinError> {
        guard !Task.isCancelled else { return .failure(MPinError.canceledBeforeCall) }
        state.client.stop = signal.descriptor
        defer { state.client.stop = 0 }
        do throws(MPinError) { return .success(try work(state)) } catch { return .failure(error) }
    }
}

/// Opens a client on the thread that it will run on.
private actor ClientOpener {
    private nonisolated let executor: ClientExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ executor: ClientExecutor) { self.executor = executor }

    func open(_ store: sending FileStore, _ options: TransportOptions) throws(MPinError) -> sending ClientState {
        ClientState(try MPinClient(store: store, options: options))
    }

    func open(
        _ store: sending any RegistrationStore, _ area: FileStore.Area, _ options: TransportOptions
    ) throws(MPinError) -> sending ClientState {
        ClientState(try MPinClient(store: store, area: area, options: options))
    }
}

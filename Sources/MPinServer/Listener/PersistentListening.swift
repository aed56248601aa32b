// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
internal import NIOCore
internal import ServiceLifecycle

/// Listens on an address until the server stops. While it cannot, it tries again.
///
/// No address depends on another one. If another process has the port, if the interface is not up yet, or if the
/// certificate cannot be used, only that address is closed.
struct PersistentListening: Sendable {
    /// The time between two attempts.
    static let interval = Duration.seconds(5)

    let address: ListenAddress
    let state: ListenerState
    /// Called after an attempt that failed for another reason than the one before. To end the server, it throws.
    let report: @Sendable (ServerError) throws -> Void

    /// - Parameter listen: listens until the server stops, or throws.
    func run(_ listen: @Sendable () async throws -> Void) async throws {
        var last = ""
        while !Self.isStopping {
            let fault: ServerError
            do {
                try await listen()
                fault = state.failure ?? ServerError(.unavailable, "\(address.text) was closed")
            } catch { fault = address.fault(error) }
            guard !Self.isStopping else { return }
            let isNews = state.isOpen || fault.message != last
            state.fail(fault)
            if isNews { try report(fault) }
            last = fault.message
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
        }
    }

    private static var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }
}

extension ListenAddress {
    /// The error of an attempt to listen here.
    fileprivate func fault(_ error: any Error) -> ServerError {
        switch error {
        case let error as IOError: fault(error.errnoCode)
        case let error as ServerError:
            ServerError(
                // A certificate that is being renewed needs no new start.
                error.kind == .configuration ? .unavailable : error.kind,
                "cannot listen on \(text): \(error.message)", hint: error.hint)
        default: ServerError(.unavailable, "cannot listen on \(text): \(error)")
        }
    }
}

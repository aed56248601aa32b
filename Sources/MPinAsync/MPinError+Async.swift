// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import MPin
internal import MPinWire

extension MPinError: LocalizedError {
    /// The ``/MPin/MPinError/message``.
    public var errorDescription: String? { message }
}

extension MPinError {
    static var canceledBeforeCall: MPinError { MPinError(code: .networkError, reason: .canceled) }

    static var foreignUser: MPinError {
        MPinError(.flowError, "This user belongs to another client. Use one of 'users'.")
    }

    static var noThread: MPinError {
        MPinError(.cryptoError, "This process lacks memory or threads: see ulimit -a.", cause: .noMemory)
    }

    static var noDescriptor: MPinError {
        MPinError(.cryptoError, "This process has too many open files: see ulimit -n.", cause: .caller)
    }
}

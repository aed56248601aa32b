// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinError {
    /// The cause of a failure, if the status alone does not determine the next step.
    package enum Cause: UInt8, Sendable {
        /// The server, or the connection to it.
        case server
        /// The server knows no such registration with the key of this device. It has judged nothing.
        case unknownDevice
        /// The TPM of this machine does not have the registration's key: it was cleared, or it is a different TPM.
        case lostKey
        /// The answer is not signed by the registration's server. Nothing that it says counts.
        case unproven
        /// The server at the address has another key than the registration's server, or than the expected one. Nothing
        /// that depends on the PIN or the code was sent to it.
        case otherServerKey
        /// The server asks the client to wait before another request.
        case limited
        /// The server refuses the time of a signed request, or has already received it.
        case clock, doubled
        /// A certificate or TLS problem that the administrator of the server or of the connection can solve.
        case unknownIssuer, outOfDate, otherName, noTLS
        /// The socket belongs to an account other than `server_user`.
        case peer
        /// The disk below the store.
        case fullDisk, readOnlyDisk
        /// The server's settings do not offer the proof that this call needs. Nothing was sent.
        case noServerProof
        /// The registration was started without a device key, and this call needs one.
        case startedWithoutKey
        /// The server does not know the registration that waits for its verification or its shares: it has expired, or
        /// its share was issued.
        case lapsedRegistration
        /// The registration was revoked before it was finished.
        case revokedRegistration
        /// The server has no waiting session with this access number or code.
        case unknownSession
        /// The server refuses the address of the request, so it may not be an M-Pin server.
        case unknownAddress
        /// The account's file, which has room for a limited number of registrations.
        case fullRecords
        /// The disk below the store: the new content is in place, but a power failure may undo it.
        case unconfirmedWrite
        /// Too many files are open, in this process or on this machine.
        case fewFiles
        /// This process: it lacked a library, descriptors or a lock. This says nothing about the server, and the user
        /// who started the process may have caused it.
        case caller
        /// This process: it lacked memory or threads. The user who started it may have caused it.
        case noMemory
        /// The file of CA certificates cannot be used.
        case authorityFile
        /// The TPM of this machine: there is none, this process may not use it, it does not answer, its library is
        /// missing, or it failed in another way.
        case absentTPM, closedTPM, silentTPM, noTPMLibrary, failedTPM
    }

    /// Whether the server has judged the PIN, and the registration is blocked.
    package var isBlock: Bool {
        code == .incorrectPIN && pinChecked == .yes
            && (httpStatus == DirectRefusal.blocked.rawValue || attemptsLeft == 0)
    }

    /// Whether the server has refused the request, so that the same one would be refused again.
    package var isRefusal: Bool { cause != .limited && httpStatus.map { 400..<500 ~= $0 } ?? false }

    /// Whether this process or machine has failed, and not the server.
    package var isLocal: Bool {
        switch cause {
        case .caller, .noMemory, .authorityFile, .absentTPM, .closedTPM, .silentTPM, .noTPMLibrary, .failedTPM: true
        default: false
        }
    }
}

extension MPinError {
    /// Converts an error of the cryptography to an error of the SDK.
    @inline(never)
    init(_ error: CryptoError) {
        switch error {
        case .invalidPIN: self.init(.pinInputCanceled, "The PIN has an invalid form.")
        case .randomUnavailable: self.init(.cryptoError, "The system provides no random numbers.", cause: .caller)
        case .memoryUnavailable: self.init(.cryptoError, "There is not enough memory for secrets.", cause: .caller)
        case .libraryUnavailable:
            self.init(
                .cryptoError, "libcrypto.so.3 cannot be loaded: the package libssl3 is missing or too old.",
                cause: .caller)
        case .invalidPoint, .invalidScalar, .infinity, .invalidDate, .invalidMessage, .invalidSeal:
            self.init(.cryptoError, "A value from the server or the store is invalid.")
        }
    }
}

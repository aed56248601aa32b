extension MPinError {
    /// What has failed, where a status alone does not lead to the next step.
    package enum Cause: Sendable {
        /// The server, or the connection to it.
        case server
        /// The server knows no such registration with the key of this device. It has judged nothing, unless it said so
        /// where it was to bind the key.
        case unknownDevice
        /// The TPM of this machine does not hold the registration's key: it was cleared, or is another one.
        case lostKey
        /// The server refuses the time of a signed request, or has had it before.
        case clock, doubled
        /// What the administrator of the server or of the connection can do something about.
        case unknownIssuer, outOfDate, otherName, noTLS
        /// The socket is served by another account than `server_user`.
        case peer
        /// The disk below the store.
        case fullDisk, readOnlyDisk
        #if !hasFeature(Embedded)
        /// The file of the account, which holds only so many registrations.
        case fullRecords
        /// The disk below the store: the new content is in place, but a power failure may bring the old one back.
        case unconfirmedWrite
        /// Too few files may be open, in this process or on this machine.
        case fewFiles
        #endif
        /// This process: it lacked a library, descriptors or a lock. It says nothing about the server, and the user who
        /// started the process may have caused it.
        case caller
        /// Likewise: it lacked memory or threads.
        case noMemory
        /// The file of CA certificates cannot be used.
        case authorityFile
        /// The TPM of this machine: none, not for this process, no answer, no library to speak to it, or anything else.
        case absentTPM, closedTPM, silentTPM, noTPMLibrary, failedTPM
    }

    /// Whether this process or machine has failed, and not the server.
    package var isLocal: Bool {
        switch cause {
        case .caller, .noMemory, .authorityFile, .absentTPM, .closedTPM, .silentTPM, .noTPMLibrary, .failedTPM: true
        default: false
        }
    }
}

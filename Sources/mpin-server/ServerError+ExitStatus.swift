// SPDX-License-Identifier: Apache-2.0
import Console
import MPinServerStorage

extension ServerError {
    /// The exit status of a command that ends with this error.
    var exitStatus: ExitStatus {
        switch kind {
        case .usage: .usage
        case .badInput: .badInput
        case .noSuchUser, .noSuchDevice, .nothingToChange: .notEnrolled
        case .unavailable, .tpmSilent: .unavailable
        case .internalFault: .internalFault
        case .tpmMissing: .noTPM
        case .cannotCreate: .cannotCreate
        case .storage: .storage
        case .notPermitted: .notPermitted
        case .configuration, .tpmCleared: .configuration
        }
    }
}

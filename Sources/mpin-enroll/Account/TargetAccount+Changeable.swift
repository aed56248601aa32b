// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinConfiguration
import SystemFiles

extension TargetAccount {
    /// Checks that the account's records can be changed, before the server makes an irreversible change.
    func requireChangeable(_ client: borrowing MPinClient) throws(CommandFailure) {
        let place = StoreLocation(directory: configuration.store, account: account)
        guard unsafe faccessat(AT_FDCWD, place.areaDirectory, W_OK | X_OK, AT_EACCESS) == 0 else {
            let reason = SystemError().text
            throw CommandFailure(
                .storage, "STORAGE_ERROR", "\(place.areaDirectory) cannot be changed: \(reason). Nothing was removed.",
                advice: CommandFailure.lookAtStore)
        }
        do throws(MPinError) { try client.requireLock() } catch {
            let holder = error.isLocal ? LockHolder(place.lock).map { " It is \($0.text)." } : nil
            throw CommandFailure(
                ExitStatus(error, state: nil), error.code.name.text,
                "\(place.lock): \(error.message)\(holder ?? "") Nothing was removed.",
                advice: CommandFailure.storeAdvice(error))
        }
    }
}

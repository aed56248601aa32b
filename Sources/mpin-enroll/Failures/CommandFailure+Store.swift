// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Console
import Glibc
import MPin

// Failures of the store, with the path in the message.
extension CommandFailure {
    /// - Parameters:
    ///   - place: the records that were to be opened.
    ///   - advice: the hint when the account is not enrolled.
    init(_ error: StoreError, _ place: StoreLocation, creating: Bool, advice: Advice) {
        switch error {
        case .notEnrolled, .noStore: self = CommandFailure.notEnrolled(place.account, advice: advice)
        case .notPermitted:
            let verb = unsafe access(place.directory, F_OK) == 0 ? "read" : "create"
            self.init(
                .notPermitted, "NOT_PERMITTED", "This user may not \(verb) \(place.directory).", advice: Advice.useSudo,
                circumstance: Circumstance.closedStore)
        case .badAccountName: self.init(.notEnrolled, "INVALID", "'\(place.account)' is not a valid account name.")
        case .unsafe:
            let found = UnsafeFile.find(place)
            self.init(.storage, "STORAGE_ERROR", found?.sentence ?? error.message, advice: found?.advice)
        case .damaged where !place.hasAreaDirectory:
            self.init(
                .storage, "STORAGE_ERROR",
                "\(place.areaDirectory) is missing, but \(place.directory) has other files: accounts were enrolled "
                    + "here.",
                advice: Advice("Restore it from a backup. Without one, enroll each account again", "register"))
        case .damaged, .otherVersion:
            let isOther = if case .otherVersion = error { true } else { false }
            self.init(
                .storage, "STORAGE_ERROR",
                "\(place.records) is \(isOther ? "of another version of pam-mpin" : "damaged") and cannot be read.",
                advice: Advice("Enroll again (the old file is kept as \(place.records).bad)", "register").adding(
                    "Or, if \(place.account) should not use M-Pin: rm \(CommonOptions.quoted(place.records))"))
        case .failed(-Int32(MPIN_UNCONFIRMED)):
            self.init(
                .storage, "STORAGE_ERROR",
                "\(place.records) was changed, but the disk did not confirm it. A power failure may undo the change.",
                advice: CommandFailure.checkDisk)
        case .failed(let errno):
            let reason = unsafe String(cString: strerror(errno))
            self.init(
                creating ? .cannotCreate : .storage, "STORAGE_ERROR",
                "Cannot use \(creating ? place.directory : place.records): \(reason).",
                advice: CommandFailure.lookAtStore)
        case .busy: self.init(.tryLater, "STORAGE_ERROR", error.message, advice: CommandFailure.tryAgain)
        case .full:
            self.init(.storage, "STORAGE_ERROR", "\(place.records): \(error.message)", advice: CommandFailure.makeRoom)
        case .noMemory, .own:
            self.init(.internalFault, "CRYPTO_ERROR", error.message, advice: Advice("Check the limits: ulimit -a"))
        }
    }

    /// The account's only file of records could not be read and was set aside.
    static func putAside(_ account: String, _ files: [String]) -> CommandFailure {
        let names = files.isEmpty ? "another file in the store" : files.joined(separator: ", ")
        let removal = (["rm"] + files.map(CommonOptions.quoted)).joined(separator: " ")
        let advice = Advice("Enroll again", "register")
        return CommandFailure(
            .storage, "STORAGE_ERROR", "The enrollment of \(account) could not be read, and is kept in \(names).",
            advice: files.isEmpty ? advice : advice.adding("Or, if \(account) should not use M-Pin: \(removal)"))
    }

    /// The kernel's messages about the disk.
    static let checkDisk = Advice("Check the disk: sudo dmesg --level=err,warn")
    static let tryAgain = Advice("Try again.")
    /// Doctor names a full or read-only disk, and unsafe modes.
    static let lookAtStore = Advice("Check the store", "doctor")
}

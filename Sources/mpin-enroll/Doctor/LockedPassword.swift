// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import PAMStack
import SystemFiles

/// Finds passwords locked by `usermod -L` or `passwd -l`, which does not stop logins with the PIN.
enum LockedPassword {
    /// The warning about an account with a locked password; nil if there is none, or if `/etc/shadow` is unreadable.
    static func finding(_ account: String, _ registration: User) -> Finding? {
        guard registration.state == .registered, registration.lastRefusal == nil,
            let shadow = SystemFile.load("/etc/shadow", limit: 1 << 26)
        else { return nil }
        let entries = shadow.split(separator: UInt8(ascii: "\n"))
            .map { $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) }
        guard let entry = entries.first(where: { $0[0].elementsEqual(account.utf8) }), entry.count > 7,
            // `!` before a hash marks a locked password. An account that never had a password has no hash.
            entry[1].starts(with: "!$".utf8)
        else { return nil }
        let revoke = Advice(
            "Revoke the user at the server: sudo mpin-server user revoke "
                + CommonOptions.quoted(registration.identity))
        let today = time(nil) / 86_400
        if let expiry = Int(String(decoding: entry[7], as: UTF8.self)), expiry <= today {
            let services = servicesWithoutExpiry
            guard !services.isEmpty else { return nil }
            return Finding(
                "enrollment", .warning,
                "The account \(account) has expired, but the PIN still works in services whose account stack lacks "
                    + "pam_unix.so: \(services.joined(separator: ", ")).", advice: revoke)
        }
        return Finding(
            "enrollment", .warning, "The password of \(account) is locked, but the PIN still works.",
            advice: Advice("Lock the account: sudo chage -E0 \(CommonOptions.quoted(account))").adding(revoke))
    }

    /// The services that take the PIN without pam_unix in their account phase, which would refuse an expired account.
    private static var servicesWithoutExpiry: [String] {
        let machine = MachineStacks(onlyArguments: true)
        return machine.services.filter { name in
            let service = ServiceExamination(machine, name), stacks = service.stacks
            // A service without auth lines uses those of 'other', which is one of the services.
            return service.own.contains { stacks.files.contains($0.place.file) } && !service.isPassedOver
                && stacks.unreadable.isEmpty && !stacks.entries(.account).contains { $0.moduleName == "pam_unix.so" }
        }
    }
}

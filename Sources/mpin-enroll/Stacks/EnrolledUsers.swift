// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinConfiguration
import PAMStack

/// Whether any user of this machine can log in with a PIN.
struct EnrolledUsers {
    enum Answer {
        case canLogIn
        /// All enrollments are blocked, revoked or out of date.
        case allRefused
        case noUser, unknown
    }

    let answer: Answer

    /// - Parameter leftOut: an enrollment to ignore.
    init(_ configuration: Configuration, without leftOut: (account: String, user: User)? = nil) {
        answer = EnrolledUsers.answer(configuration, leftOut)
    }

    /// Whether the server has not refused this enrollment for good.
    static func canLogIn(_ user: User) -> Bool {
        user.state == .registered && user.lastRefusal != .revoked && user.lastRefusal != .clientSecretExpired
    }

    private static func answer(_ configuration: Configuration, _ leftOut: (account: String, user: User)?) -> Answer {
        let accounts: [String]
        do throws(StoreError) { accounts = try FileStore.accountNames(in: configuration.store) } catch {
            if case .notPermitted = error { return .unknown }
            return .noUser
        }
        let users = accounts.flatMap { account -> [User] in
            do throws(CommandFailure) {
                let all = try TargetAccount(configuration, account: account).open().allUsers
                return all.filter { account != leftOut?.account || $0.mpinID != leftOut?.user.mpinID }
            } catch { return [] }
        }
        if users.contains(where: canLogIn) { return .canLogIn }
        return users.contains { $0.state == .registered || $0.state == .blocked } ? .allRefused : .noUser
    }

    /// Refuses to change a service while no user could use the PIN that it would ask for.
    func require(for service: String, _ recipe: StackBlock.Recipe) throws(CommandFailure) {
        // With the recipe `instead`, blocked users still have the password.
        if answer == .allRefused, recipe == .addition {
            throw .stacks(
                "\(service) would refuse every user: every enrollment on this machine is blocked, revoked or out "
                    + "of date.", Advice("Show how to fix each enrollment", "doctor"))
        }
        guard answer == .noUser else { return }
        throw CommandFailure(
            .notEnrolled, "INVALID", "No user is enrolled on this machine yet. Nothing was changed.",
            advice: CommandFailure.register)
    }
}

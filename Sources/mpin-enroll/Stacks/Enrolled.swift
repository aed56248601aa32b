import Glibc
import MPin
import MPinConfiguration

/// Whether anybody on this machine can log in with a PIN.
struct Enrolled {
    enum Answer { case somebody, nobody, unknown }

    let answer: Answer

    init(_ options: CommonOptions) throws(CommandFailure) {
        let configuration = try options.configuration()
        answer = Enrolled.answer(configuration)
    }

    private static func answer(_ configuration: Configuration) -> Answer {
        let accounts: [String]
        do throws(StoreError) { accounts = try FileStore.accounts(in: configuration.store) } catch {
            if case .notPermitted = error { return .unknown }
            return .nobody
        }
        let isAnybody = accounts.contains { account in
            do throws(CommandFailure) {
                return try TargetAccount(configuration, account: account).open().allUsers.contains {
                    $0.state == .registered || $0.state == .blocked
                }
            } catch { return false }
        }
        return isAnybody ? .somebody : .nobody
    }

    /// Refuses to change a login while nobody could use what it would ask for.
    func require() throws(CommandFailure) {
        guard answer == .nobody else { return }
        throw CommandFailure(
            .notEnrolled, "INVALID", "Nobody is enrolled on this machine yet, so no login is changed.",
            advice: CommandFailure.register)
    }
}

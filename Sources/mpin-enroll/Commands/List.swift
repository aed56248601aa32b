import ArgumentParser
import CommandSyntax
import Glibc
import MPin

/// Lists the identities on this machine: root's view is of all accounts, everybody else's of their own.
struct List: Command {
    static let configuration = CommandConfiguration(
        abstract: "List the identities on this machine.",
        discussion: """
            At a terminal in columns with a heading; elsewhere one line for each, with tabs between account, identity, \
            state and server.
            """)

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Outcome {
        let configuration = try common.configuration()
        if common.identity == "" { throw CommandFailure.emptyIdentity }
        let accounts: [String]
        if common.user != nil {
            accounts = [try Enrolment(common, mayBeGone: true).account]
        } else {
            do throws(StoreError) { accounts = try FileStore.accounts(in: configuration.store).sorted() } catch {
                accounts = try List.none(error, configuration)
            }
        }

        var members: [[String: Report.Value]] = []
        var rows: [[String]] = []
        for account in accounts {
            let enrolment = try Enrolment(configuration, account: account, identity: common.identity)
            let client: MPin
            do throws(CommandFailure) { client = try enrolment.open() } catch {
                if error.exitStatus != .notEnrolled {
                    Terminal.say(visible("mpin-enroll: \(account): \(error.message)"))
                }
                continue
            }
            for user in client.allUsers where common.identity == nil || user.identity == common.identity {
                members.append(enrolment.description(of: user))
                rows.append([account, user.identity, user.state.name.text, user.backend].map(visible))
            }
            if client.recordsSetAside > 0 {
                Terminal.say(visible("mpin-enroll: \(account): a record cannot be read and has been left as it is."))
            }
        }
        let table = Table(heading: ["ACCOUNT", "IDENTITY", "STATE", "SERVER"], rows: rows)
        return Outcome(
            report: Report(
                rows.isEmpty ? ["Nobody is enrolled."] : table.lines(isTerminal: isatty(STDOUT_FILENO) == 1),
                ["identities": .list(members)]))
    }

    /// No accounts, where there is nothing to read.
    private static func none(_ error: StoreError, _ configuration: Configuration) throws(CommandFailure) -> [String] {
        switch error {
        case .notEnrolled, .noStore: return []
        default:
            throw CommandFailure(
                error, StorePlace(directory: configuration.store, account: ""), creating: false,
                advice: CommandFailure.register)
        }
    }
}

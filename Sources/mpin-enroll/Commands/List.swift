import ArgumentParser
import MPin

/// Lists the identities on this machine: root's view is of all accounts, everybody else's of their own.
struct List: Command {
    static let configuration = CommandConfiguration(abstract: "List the identities on this machine.")

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Outcome {
        let configuration = try common.configuration()
        let accounts: [String]
        do throws(StoreError) {
            if let user = common.user {
                accounts = [user]
            } else {
                accounts = try FileStore.accounts(in: configuration.store).sorted()
            }
        } catch .notEnrolled {
            accounts = []
        } catch .noStore {
            accounts = []
        } catch { throw CommandFailure(error, creating: false) }

        var rows: [[String: Report.Value]] = []
        var lines: [String] = []
        for account in accounts {
            var options = common
            options.user = account
            options.store = configuration.store
            let enrolment = try Enrolment(options)
            let client: MPin
            do throws(CommandFailure) { client = try enrolment.open() } catch {
                Terminal.say("mpin-enroll: \(account): \(error.message)")
                continue
            }
            for user in client.allUsers {
                rows.append(enrolment.description(of: user))
                lines.append("\(account)  \(user.identity)  \(user.state.name.text)  \(user.backend)")
            }
            if client.recordsSetAside > 0 {
                Terminal.say("mpin-enroll: \(account): a record cannot be read and has been left as it is.")
            }
        }
        return Outcome(report: Report(lines.isEmpty ? ["Nobody is enrolled."] : lines, ["identities": .list(rows)]))
    }
}

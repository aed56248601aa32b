// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinAgent
import MPinConfiguration
import MPinCrypto

struct EnrollmentExamination {
    private(set) var findings: [Finding] = []
    private(set) var accounts: [String] = []
    private(set) var backends: Set<String> = []
    /// The server keys to which enrollments belong, by the server's address.
    private(set) var serverKeys: [String: [KeyFingerprint]] = [:]
    private(set) var keysInTPM: [(name: String, registration: User, subject: Advice.Subject)] = []

    init(_ configuration: Configuration) {
        let unreadable: [(account: String, path: String)]
        do throws(StoreError) {
            accounts = try FileStore.accountNames(in: configuration.store).sorted()
            unreadable = try FileStore.unreadableFiles(in: configuration.store).map { ($0.account, $0.path) }
        } catch {
            let sudo = geteuid() == 0 ? nil : Advice.useSudo
            switch error {
            case .notEnrolled, .noStore: findings = [EnrollmentExamination.noUser]
            case .damaged:
                let place = StoreLocation(directory: configuration.store, account: "")
                let failure = CommandFailure(error, place, creating: false, advice: CommandFailure.register)
                findings = [Finding("enrollment", .unknown, failure.message, advice: failure.advice)]
            // StoreExamination reports other problems of the store.
            default: findings = [Finding("enrollment", .unknown, "The enrollments could not be read.", advice: sudo)]
            }
            return
        }
        for account in accounts { examine(account, configuration) }
        for file in unreadable.sorted(by: { $0.path < $1.path }) {
            findings.append(
                Finding(
                    "enrollment", .fault,
                    "\(file.path) is an unreadable record, so logins still treat \(file.account) as enrolled.",
                    advice: Advice("Enroll again", "register", of: Advice.Subject(account: file.account)).adding(
                        "Or, if \(file.account) should not use M-Pin: rm \(CommonOptions.quoted(file.path))")))
        }
        if findings.isEmpty { findings = [EnrollmentExamination.noUser] }
    }

    private static let noUser = Finding(
        "enrollment", .warning, "No user is enrolled on this machine.", advice: CommandFailure.register)

    private mutating func examine(_ account: String, _ configuration: Configuration) {
        let own = Advice.Subject(account: account)
        guard AccountName.canonical(account) != nil else {
            findings.append(
                Finding(
                    "enrollment", .warning, "\(account) is enrolled, but is no longer an account on this machine.",
                    advice: Advice("Delete the enrollment", "remove --local-only", of: own)))
            return
        }
        do throws(CommandFailure) {
            let client = try TargetAccount(configuration, account: account).open()
            if client.replacesAnother {
                findings.append(
                    Finding(
                        "enrollment", .warning, "\(account) is not enrolled. \(CommandFailure.replaced)",
                        advice: Advice("Enroll", "register", of: own).adding(
                            "Or, if \(account) should not use M-Pin: rm "
                                + CommonOptions.quoted(
                                    StoreLocation(directory: configuration.store, account: account).records))))
            }
            if client.recordsSetAside > 0 {
                findings.append(
                    Finding(
                        "enrollment", .fault, "A record of \(account) is damaged and cannot be read.",
                        advice: Advice("Enroll again (the old file is kept)", "register", of: own)))
            }
            for registration in client.allUsers {
                let subject = Advice.Subject(registration.summary, account: account)
                backends.insert(registration.backend)
                if let key = registration.serverKeyFingerprint {
                    serverKeys[registration.backend, default: []].append(key)
                }
                if registration.keyPlace == .tpm {
                    let name = EnrollmentExamination.name(of: registration, account)
                    keysInTPM.append((name, registration, subject))
                }
                let isFound = EnrollmentExamination.isFound(registration, configuration)
                findings.append(
                    isFound
                        ? EnrollmentExamination.finding(of: registration, account, subject)
                        : EnrollmentExamination.misplaced(registration, account, client.allUsers, configuration))
                if isFound, registration.offersDeviceKey {
                    findings.append(
                        Finding(
                            "enrollment", .warning,
                            "\(registration.backend) offers device keys, but the enrollment of \(account) has none.",
                            advice: Advice("Get one by enrolling again", "recover", of: subject)))
                }
                if isFound, let key = registration.serverKeyFingerprint,
                    let configured = configuration.serverKey.flatMap({ KeyFingerprint($0) }), configured != key
                {
                    findings.append(
                        Finding(
                            "enrollment", .warning,
                            "server_key in \(configuration.file) is not the key of \(registration.backend), to which the "
                                + "enrollment of \(account) belongs, so no user can enroll without sudo.",
                            advice: Advice("Show the enrollment's key", "server show", of: subject)))
                }
                if let locked = LockedPassword.finding(account, registration) { findings.append(locked) }
            }
        } catch { findings.append(Finding("enrollment", .fault, error.message, advice: error.advice)) }
    }

    private static func name(of registration: User, _ account: String) -> String {
        account == registration.identity ? account : "\(account) (\(registration.identity))"
    }

    /// Whether logins find a registration: they do not look at other servers than the configured one.
    private static func isFound(_ registration: User, _ configuration: Configuration) -> Bool {
        configuration.server.flatMap { Backend($0)?.text }.map { $0 == registration.backend } ?? true
    }

    /// A registration at another server than the configured one.
    private static func misplaced(
        _ registration: User, _ account: String, _ all: [User], _ configuration: Configuration
    ) -> Finding {
        let name = name(of: registration, account), server = configuration.server ?? ""
        let sentence =
            "Logins do not find the enrollment of \(name) at \(registration.backend): the configuration names \(server)."
        let leftover = Advice(
            "Remove it if it is no longer needed", "remove --local-only",
            of: Advice.Subject(registration.summary, account: account))
        guard !all.contains(where: { isFound($0, configuration) }) else {
            return Finding("enrollment", .warning, sentence, advice: leftover)
        }
        return Finding(
            "enrollment", .fault, sentence, advice: CommandFailure.atOtherServer(registration.summary, account, server))
    }

    private static func finding(
        of registration: User, _ account: String, _ subject: Advice.Subject
    ) -> Finding {
        let name = name(of: registration, account)
        switch (registration.state, registration.lastRefusal) {
        case (.registered, .revoked) where AccountStatus.mayBeRestored(registration.summary):
            let time = registration.summary.refusalTime.map { " at \(TargetAccount.text($0))" } ?? ""
            return Finding(
                "enrollment", .warning,
                "The enrollment of \(name) was revoked at the last login\(time). The server may answer differently now.",
                advice: AccountStatus.askServer.about(subject))
        case (.registered, .revoked):
            return Finding(
                "enrollment", .fault, CommandFailure.revoked(registration.summary).message,
                advice: Advice("Recover with a new code from the administrator", "recover", of: subject))
        case (.registered, .clientSecretExpired):
            return Finding(
                "enrollment", .fault,
                "The server no longer accepts the enrollment of \(name). \(CommandFailure.whyOutOfDate)",
                advice: Advice("Enroll again", "recover", of: subject))
        case (.registered, _): return Finding("enrollment", .ok, "\(name) is enrolled at \(registration.backend).")
        case (.blocked, _):
            return Finding(
                "enrollment", .fault, "The enrollment of \(name) is blocked after too many wrong PINs.",
                advice: CommandFailure.recoverBlocked.about(subject))
        case (.startedRegistration, _), (.activated, _):
            return Finding(
                "enrollment", .warning, "The enrollment of \(name) is not finished.",
                advice: CommandFailure.goOn("register", of: subject))
        case (.invalid, _):
            return Finding(
                "enrollment", .warning, "\(name) is not enrolled.", advice: Advice("Enroll", "register", of: subject))
        }
    }
}

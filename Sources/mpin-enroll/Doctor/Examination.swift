// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration
import MPinPAM
import MPinWire

/// Checks everything that a login with M-Pin needs on this machine.
struct Examination {
    let findings: [Finding]

    init(_ options: CommonOptions) {
        let stacks = StackExamination()
        var findings = stacks.openings + ConfigurationExamination(options).findings + LibraryExamination().findings
        // If the configuration is unreadable, the other checks use the defaults.
        let read = try? options.configuration(), configuration = read ?? Configuration()
        let enrollments = EnrollmentExamination(configuration)
        // Causes come before their effects: without a server, no user can be enrolled.
        if read != nil || !enrollments.backends.isEmpty {
            findings += ServerExamination(configuration, enrollments).findings
        }
        findings += StoreExamination(configuration, accounts: enrollments.accounts).findings
        findings += enrollments.findings
        findings += TPMExamination(configuration, enrollments).findings
        findings += ServerHealthExamination(configuration).findings
        findings += ModuleExamination(modules: stacks.modules).findings
        findings += stacks.findings
        findings += Examination.lockOut(configuration, options)
        findings += PAMFilesExamination().findings
        findings += AgentExamination(configuration, services: stacks.services).findings
        let asking = stacks.asking
        findings += ConfinementExamination(configuration, services: asking).findings
        if read != nil, asking.contains(where: { MethodRule.isSwitch(ByteText($0)) }) {
            findings += SessionExamination(configuration).findings
        }
        // Two checks can find the same unsafe file.
        var sentences: Set<String> = []
        self.findings = findings.filter { sentences.insert($0.sentence).inserted }
    }

    /// Services that require an enrollment, on a machine where no enrollment can log in.
    private static func lockOut(_ configuration: Configuration, _ options: CommonOptions) -> [Finding] {
        let answer = EnrolledUsers(configuration).answer
        guard answer == .noUser || answer == .allRefused else { return [] }
        let services = DemandingServices(store: configuration.store)
        guard !services.isEmpty else { return [] }
        let reason = answer == .noUser ? "no user is enrolled" : "no enrollment can log in"
        return [
            Finding(
                "stacks", .fault,
                "No user can log in through \(services.names): the PIN is required there, and \(reason).",
                advice: services.advice(options))
        ]
    }

    func count(_ grade: Finding.Grade) -> Int { findings.filter { $0.grade == grade }.count }

    /// The changes that `--fix` may make.
    var repairs: [ModeRepair] { findings.compactMap(\.repair) }
}

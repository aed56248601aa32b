// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

@main struct MPinServerCommand: Program {
    static let configuration = CommandConfiguration(
        commandName: "mpin-server", abstract: "Run and manage an M-Pin server.",
        version: ListeningServer.version,
        subcommands: [
            SetupCommand.self, InitCommand.self, ServeCommand.self, ServerStatusCommand.self, ServerDoctorCommand.self,
            FingerprintCommand.self,
            InviteCommand.self, UserCommand.self, HostCommand.self, SSHCommand.self, RelyingPartyCommand.self,
            SettingsCommand.self,
            AuditCommand.self, BackupCommand.self, RestoreCommand.self, RotateCommand.self, ResealCommand.self,
            JoinCommand.self, MoveCommand.self,
            SetupStateCommand.self,
        ])

    /// Precedes the first secret that is read.
    static func prepare() { LockedMemory.protect() }

    static func failure(_ error: any Error) -> CommandFailure? {
        guard let error = error as? ServerError else { return nil }
        var advice = error.hint.isEmpty ? nil : Advice(error.hint)
        if error.account != nil { advice = Advice.useSudo.worded("Run") }
        if let next = error.next { advice = advice?.adding("Run", next) ?? Advice("Run", next) }
        return CommandFailure(
            error.exitStatus, error.kind.rawValue, error.message, advice: advice)
    }
}

/// A command about a server's directory.
protocol DirectoryCommand: ReportingCommand {
    var options: Options { get }
}

extension DirectoryCommand {
    var output: Output { options.output }
}

extension ServerError {
    fileprivate var exitStatus: ExitStatus {
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

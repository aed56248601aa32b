// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinConfiguration
import PAMStack
import SystemFiles

struct MachineStacks {
    let reader: StackReader
    let knowledge: ModuleKnowledge

    /// - Parameters:
    ///   - changed: contents to use instead of those on the disk, by path.
    ///   - onlyArguments: whether to ignore errors in the configuration file.
    ///   - assumesModule: whether to assume that M-Pin's module can be loaded.
    init(changed: [String: [UInt8]] = [:], onlyArguments: Bool = false, assumesModule: Bool = false) {
        let modules = InstalledModules(assumesOwn: assumesModule)
        reader = StackReader { path in changed[path].map { .content($0) } ?? MachineFile.ofPAM(path) }
        knowledge = ModuleKnowledge(
            setting: { MachineStacks.setting($0, onlyArguments) }, isInstalled: { modules.contains($0) })
    }

    func service(_ name: String) throws(CommandFailure) -> ServiceStacks {
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), !name.hasPrefix("@") else {
            throw CommandFailure(
                .badInput, "BAD_INPUT", "'\(name)' cannot be the name of a PAM service.",
                advice: Advice("List the services: ls /etc/pam.d"))
        }
        let stacks = reader.service(name)
        if let path = stacks.unreadable.first { throw MachineStacks.unreadable(path) }
        return stacks
    }

    /// The error for a file of a service that exists and is unreadable.
    static func unreadable(_ path: String) -> CommandFailure {
        guard unsafe access(path, R_OK) == 0 else {
            return CommandFailure(
                .notPermitted, "NOT_PERMITTED", "\(path) may not be read by this user.", advice: Advice.useSudo)
        }
        return .stacks(
            "\(path) is \(FileKind.irregular(path) ?? "larger than a megabyte") and was not read.",
            Advice("Check the file: ls -lL \(CommonOptions.quoted(path))"))
    }

    /// Compares the logins through a service with those after a change.
    func comparison(with later: MachineStacks, _ service: String) -> StackComparison {
        StackComparison(reader.service(service), later.reader.service(service), knowledge)
    }

    func forecast(_ stacks: ServiceStacks) -> StackForecast { StackForecast(stacks, knowledge) }

    /// The steps of a service's auth stack that call M-Pin's module.
    static func own(_ stacks: ServiceStacks) -> [StackEntry] {
        stacks.entries(.auth).filter { $0.moduleName == ModuleKnowledge.own }
    }

    /// The services of this machine that have a file, without backup copies and included files.
    var services: [String] {
        let names = StackReader.directories.flatMap { (try? Directory.names(in: $0)) ?? [] }
        let endings = [".pam-old", ".pam-new", ".bak", ".orig", ".rpmnew", ".rpmsave", "~"]
        return Set(names).filter { name in
            !name.hasPrefix(".") && !name.contains(".dpkg-") && !name.contains(".ucf-")
                && !endings.contains { name.hasSuffix($0) } && !name.hasPrefix("common-")
                && reader.path(of: name).flatMap { FileFacts(target: $0) }?.isDirectory == false
        }.sorted()
    }

    /// The configuration for a line with M-Pin's module, or what is wrong with it.
    static func configuration(_ arguments: [String]) -> Result<Configuration, ConfigurationError> {
        do throws(ConfigurationError) { return .success(try Configuration.load(arguments: arguments)) } catch {
            return .failure(error)
        }
    }

    /// Why the module refuses every login on a line with these arguments; `nil` if it does not.
    ///
    /// - Parameter onlyArguments: whether to ignore errors in the configuration file.
    static func obstacle(_ arguments: [String], onlyArguments: Bool) -> String? {
        switch configuration(arguments) {
        case .success: return nil
        case .failure(let fault):
            let isOfArguments =
                switch fault.location {
                case .argument, .together: true
                case .file, .line: arguments.contains { $0.hasPrefix("conf=") }
                }
            // If this process may not read the file, programs of root may still find it valid.
            let isKnown = fault.kind != .notPermitted
            return isKnown && (isOfArguments || !onlyArguments) ? fault.message : nil
        }
    }

    private static func setting(_ arguments: [String], _ onlyArguments: Bool) -> ModuleKnowledge.Setting {
        switch configuration(arguments) {
        case .success(let configuration): return .valid(ignoresUnenrolled: configuration.ignoreUnenrolled)
        case .failure:
            return obstacle(arguments, onlyArguments: onlyArguments) != nil
                ? .faulty : .valid(ignoresUnenrolled: arguments.contains("ignore_unenrolled"))
        }
    }
}

extension CommandFailure {
    /// The refusal of a change of PAM's files, or an error in them.
    static func stacks(_ message: String, _ advice: Advice?) -> CommandFailure {
        CommandFailure(.configuration, "CONFIGURATION", message, advice: advice)
    }
}

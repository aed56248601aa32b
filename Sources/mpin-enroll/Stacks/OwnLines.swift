// SPDX-License-Identifier: Apache-2.0
import Console
import PAMStack
import SystemFiles

/// The lines that make a service ask for the PIN.
struct OwnLines {
    let stacks: ServiceStacks
    let lines: [StackEntry]

    init(_ stacks: ServiceStacks) {
        self.stacks = stacks
        lines = MachineStacks.own(stacks)
    }

    var places: String { lines.map { "\($0.place.file) line \($0.place.line)" }.joined(separator: " and ") }

    /// The recipe that the lines amount to, even if an administrator wrote them; `nil` for another effect.
    var recipe: StackBlock.Recipe? {
        // The recipe does not depend on whether the module is installed.
        let forecast = MachineStacks(onlyArguments: true, assumesModule: true).forecast(stacks)
        return forecast.takesPINInsteadOfPassword ? .instead : forecast.wantsPINAndPassword ? .addition : nil
    }

    /// Whether the service's file has lines that `pam enable` wrote.
    private var hasBlock: Bool { stacks.file.flatMap { SystemFile.load($0) }.map { StackBlock($0).isPresent } ?? false }

    /// Whether a command removes one of them.
    var isRemovable: Bool { hasBlock || isShared }

    /// Whether one of them comes from pam-auth-update's profile.
    var isShared: Bool { AuthUpdate.hasProfile && lines.contains(where: AuthUpdate.contains) }

    private var disable: String { "pam disable \(CommonOptions.quoted(stacks.name)) --yes" }

    /// The command that removes one of them.
    func removal(_ options: CommonOptions) -> String {
        hasBlock ? options.line(disable, for: Advice("", disable)) : AuthUpdate.way
    }

    /// The hint to remove one of them.
    ///
    /// - Parameter words: the text before `pam disable`.
    func removal(_ words: String) -> Advice { hasBlock ? Advice(words, disable) : AuthUpdate.disablesAll }

    /// Whether there is one too many. Several lines written by an administrator are intended.
    var isDouble: Bool { lines.count > 1 && isRemovable }

    var sentence: String { "\(stacks.name) asks for the PIN in \(lines.count) lines: \(places)." }

    var remedy: Advice { removal("Remove one of them") }
}

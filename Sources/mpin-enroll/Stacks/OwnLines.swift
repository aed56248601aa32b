import PAMStack

/// The lines by which a service asks for the PIN.
struct OwnLines {
    let stacks: ServiceStacks
    let lines: [StackEntry]

    init(_ stacks: ServiceStacks) {
        self.stacks = stacks
        lines = MachineStacks.own(stacks)
    }

    /// Where they are written.
    var places: String { lines.map { "\($0.place.file) line \($0.place.line)" }.joined(separator: " and ") }

    /// What the PIN is by them, wherever they came from; `nil` where it is something else.
    var recipe: StackBlock.Recipe? {
        // What they mean does not hang on the module's being there.
        let forecast = MachineStacks(onlyArguments: true, assumesModule: true).forecast(stacks)
        return forecast.takesPINInsteadOfPassword ? .instead : forecast.wantsPINAndPassword ? .addition : nil
    }

    /// Whether the service's file has lines that `pam enable` wrote.
    private var hasBlock: Bool {
        stacks.file.flatMap { MachineFile.load($0) }.map { StackBlock($0).isPresent } ?? false
    }

    /// Whether `pam disable` takes one of them out.
    var isRemovable: Bool { hasBlock || isShared }

    /// Whether pam-auth-update's profile is among them.
    var isShared: Bool { AuthUpdate.serves(stacks) && AuthUpdate.isEnabled }

    /// The command that takes one of them out.
    var disable: String { "pam disable \(CommonOptions.quoted(stacks.name)) --really" }

    /// Whether there is one too many. Several that an administrator has written are meant.
    var isDouble: Bool { lines.count > 1 && isRemovable }

    var sentence: String { "\(stacks.name) asks for the PIN in \(lines.count) lines: \(places)." }

    var remedy: Advice { Advice(hasBlock ? "Remove one of them" : AuthUpdate.disablesAll, disable) }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The option without which a command only shows its change.
struct ChangeConfirmation: ParsableArguments {
    @Flag(help: "Make the change instead of showing it.") var yes = false

    /// The earlier name of the option.
    @Flag(help: .hidden) var really = false

    var isGiven: Bool { yes || really }
}

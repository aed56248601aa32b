// SPDX-License-Identifier: Apache-2.0

/// One step of a stack, with its position in a file.
package struct StackEntry: Sendable {
    package enum Facility: String, Sendable, CaseIterable { case auth, account, password, session }

    package enum Step: Sendable {
        case module(String, [String])
        /// An invalid line, or one that names an unreadable file: the step fails for this reason.
        case failure(String)
        /// The start of a substack. Has no effect of its own.
        case substack
    }

    package struct Position: Hashable, Sendable {
        package let file: String
        /// Counted from 1.
        package let line: Int
    }

    /// Identifies a step before and after a change, which can move it and change its arguments.
    package struct StepID: Hashable, Sendable {
        let module: String?
        /// How many steps with the module precede it in the facility.
        let number: Int
    }

    package let facility: Facility
    package let step: Step
    /// The number of substacks around the step.
    package let level: Int
    package let place: Position
    /// The control as written, without brackets.
    package let controlWords: String
    let control: StackControl
    let stepID: StepID

    /// The file name of the module, without its directory; `nil` for a step without a module.
    package var moduleName: String? {
        guard case .module(let path, _) = step else { return nil }
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The error in the control of a module.
    package var fault: StackFault? {
        guard control.isMistaken, case .module = step else { return nil }
        return StackFault(
            place: place,
            reason: "'\(controlWords)' is not a PAM control, so libpam treats every result of the module as a failure")
    }

    package var shownControl: String { controlWords.contains("=") ? "[\(controlWords)]" : controlWords }
}

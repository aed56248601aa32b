// SPDX-License-Identifier: Apache-2.0
import Console
import FoundationEssentials
import MPin
import SystemFiles

/// The program that SSH_ASKPASS names. It asks for the PIN in a window if there is no terminal, or if
/// SSH_ASKPASS_REQUIRE prefers it. That variable means what it means to ssh.
struct AskProgram {
    private let program: String
    /// Whether it asks although there is a terminal.
    let isPreferred: Bool

    init?() {
        let variables = ProcessInfo.processInfo.environment
        let use = variables["SSH_ASKPASS_REQUIRE"]?.lowercased()
        guard let program = variables["SSH_ASKPASS"], !program.isEmpty, use != "never" else { return nil }
        self.program = program
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { variables[$0]?.isEmpty == false }
        isPreferred = use == "force" || (use == "prefer" && hasScreen)
    }

    /// The variables of this process, for the programs that it runs.
    static var environment: [String] { ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" } }

    /// Runs the program with the prompt as its argument, and reads the PIN from its output into memory for secrets.
    ///
    /// - Returns: nil when the user canceled.
    func pin(_ prompt: String) throws(CommandFailure) -> PIN? {
        let running: StartedProgram
        do throws(SystemError) {
            running = try StartedProgram([program, prompt], environment: AskProgram.environment, sharesErrors: true)
        } catch {
            throw CommandFailure(
                .inputNeeded, "INPUT_NEEDED", "\(program), which SSH_ASKPASS names, cannot run: \(error.text).",
                advice: Advice("Correct SSH_ASKPASS, or use a terminal."))
        }
        let line: PIN
        do throws(MPinError) { line = try PINSource.line(running.output.descriptor) } catch {
            throw CommandFailure(error)
        }
        guard (try? running.end()) == 0, line.count < PIN.longest else { return nil }
        return line
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import FoundationEssentials
import MPin
import SystemFiles

/// The program that SSH_ASKPASS names. It asks for the PIN in a window if there is no terminal.
struct AskProgram {
    private let program: String
    private let environment: [String]

    init?() {
        let variables = ProcessInfo.processInfo.environment
        guard let program = variables["SSH_ASKPASS"], !program.isEmpty else { return nil }
        self.program = program
        environment = variables.map { "\($0.key)=\($0.value)" }
    }

    /// Runs the program with the prompt as its argument, and reads the PIN from its output into memory for secrets.
    ///
    /// - Returns: nil when the user canceled.
    func pin(_ prompt: String) throws(CommandFailure) -> PIN? {
        let running: StartedProgram
        do throws(SystemError) {
            running = try StartedProgram([program, prompt], environment: environment, sharesErrors: true)
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

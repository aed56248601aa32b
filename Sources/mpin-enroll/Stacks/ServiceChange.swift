// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack
import SystemFiles

/// Adds three lines to a service's own file, or removes them.
struct ServiceChange {
    let service: String
    let path: String

    /// - Throws: ``CommandFailure`` if the service has no file.
    init(_ stacks: ServiceStacks) throws(CommandFailure) {
        guard let path = stacks.file else {
            throw CommandFailure(
                .badInput, "BAD_INPUT", "There is no PAM service '\(stacks.name)' on this machine.",
                advice: Advice("List the services: ls /etc/pam.d"))
        }
        (service, self.path) = (stacks.name, path)
    }

    /// Whether the file has lines that `pam enable` wrote.
    var isPresent: Bool { SystemFile.load(path).map { StackBlock($0).isPresent } ?? false }

    /// - Parameter reader: reads the files that the file includes.
    func enabling(_ recipe: StackBlock.Recipe, _ reader: StackReader) throws(CommandFailure) -> FileChange {
        let content = try load()
        do throws(StackBlockError) {
            let change = try StackBlock(content).inserting(recipe, for: service, reader)
            return FileChange(service: service, path: path, content: content, change: change)
        } catch { throw failure(error) }
    }

    func disabling() throws(CommandFailure) -> FileChange {
        let content = try load()
        do throws(StackBlockError) {
            let change = try StackBlock(content).removing()
            return FileChange(service: service, path: path, content: content, change: change)
        } catch { throw failure(error) }
    }

    private func load() throws(CommandFailure) -> [UInt8] {
        guard let status = FileFacts(of: path), status.isFile else {
            throw .stacks(
                "\(path) is not a regular file: another program manages it and would undo a change.",
                Advice("Change it with that program, such as authselect."))
        }
        guard let content = SystemFile.load(path) else {
            throw CommandFailure(
                .notPermitted, "NOT_PERMITTED", "\(path) may not be read by this user.", advice: Advice.useSudo)
        }
        return content
    }

    private func failure(_ error: StackBlockError) -> CommandFailure {
        switch error {
        case .noPassword:
            refusal(
                "\(path) has no line that asks for the password, so mpin-enroll cannot tell where to add M-Pin's line.")
        case .jump(let line):
            refusal(
                "\(path) line \(line) jumps over the place of M-Pin's line. Adding the line would change "
                    + "where the jump ends.")
        case .edited(let line): refusal("\(path) line \(line): the lines that mpin-enroll added were edited.")
        case .absent: refusal("\(path) has no lines written by mpin-enroll.")
        }
    }

    func refusal(_ sentence: String) -> CommandFailure {
        .stacks(
            sentence,
            Advice(
                "Change the file yourself (see: man pam_mpin). Check the stack",
                "pam show \(CommonOptions.quoted(service))"))
    }
}

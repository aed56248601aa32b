// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinServerStorage
import SystemFiles

/// Files of this host that setup writes, for all users to read, and those that it lets systemd read.
enum SetupFile {
    static func write(_ text: String, to path: String, _ naming: DurableFile.Naming) throws(ServerError) {
        DurableFile.removeDrafts(in: FileName.parent(of: path))
        do throws(FileError) { try DurableFile.write(text.utf8.span, to: path, naming, mode: 0o644) } catch {
            throw failed(path, error.cause)
        }
    }

    static func make(directory path: String) throws(ServerError) {
        guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failed(path, SystemError()) }
    }

    static func remove(_ path: String) throws(ServerError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failed(path, SystemError()) }
    }

    static func failed(_ path: String, _ cause: SystemError) -> ServerError {
        ServerError(.cannotCreate, "cannot write \(path): \(cause.text)")
    }

    /// Makes sure that no other user can replace a file, a directory on the way to it, or a link.
    ///
    /// - Parameter path: an absolute path.
    static func demandRoot(_ path: String) throws(ServerError) {
        guard FileFacts(target: path) != nil else {
            throw ServerError(.configuration, "cannot read \(path): \(SystemError().text)")
        }
        guard let place = FilePath.place(on: path, where: { $0.owner != 0 || !$0.isLink && $0.isWritableByOthers })
        else { return }
        throw ServerError(
            .configuration, "users other than root can replace \(place)",
            hint: "Copy the files to a directory of root: sudo install -d -m 0700 /etc/mpin-tls")
    }
}

/// The steps that setup has done: printed at once as text, or kept for the JSON object.
struct SetupSteps {
    let json: Bool
    private(set) var members: [Members] = []

    init(json: Bool) { self.json = json }

    /// Reports a change.
    mutating func done(_ step: String, _ text: String) { add(step, text, changed: true, sign: "done ") }

    /// Reports something that is not changed.
    mutating func note(_ step: String, _ text: String) { add(step, text, changed: false, sign: "     ") }

    private mutating func add(_ step: String, _ text: String, changed: Bool, sign: String) {
        members.append(["step": step, "text": text, "changed": changed])
        guard !json else { return }
        Output.print(
            sign
                + text.split(separator: "\n").flatMap { Display.hint(String($0), columns: Display.output.columns - 5) }
                .joined(separator: "\n     "),
            otherwise: "Setup stops here. The finished steps remain. Run it again where its output can be read.")
    }
}

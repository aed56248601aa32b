// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinConfiguration
import MPinWire
import SystemFiles

/// Every problem in the configuration's file. Its reader stops at the first one.
struct ConfigurationErrors {
    /// The problems of its lines that make every login fail, a line each.
    let ofLines: [String]
    let isFileThere: Bool
    /// The fault of the file itself, such as its mode.
    let ofFile: ConfigurationError?

    /// All problems that make every login fail, a line each.
    var messages: [String] { (ofFile.map { [$0.message] } ?? []) + ofLines }

    /// The largest number of problems to find.
    private static let most = 50

    init(_ options: CommonOptions) {
        let path = options.configurationPath
        ofFile = ConfigurationErrors.errorOfFile(path)
        var found: [String] = []
        guard var lines = SystemFile.load(path).map({ $0.split(separator: 0x0A, omittingEmptySubsequences: false) })
        else {
            (ofLines, isFileThere) = ([], FileFacts.isThere(path))
            return
        }
        isFileThere = true
        while found.count < ConfigurationErrors.most {
            let text = Array(lines.joined(separator: [0x0A]))
            guard let fault = ConfigurationErrors.fault(text, path) else { break }
            guard case .line(let number, _) = fault.location, lines.indices.contains(number - 1) else {
                if ofFile == nil { found.append(fault.message) }
                break
            }
            found.append(fault.message + ConfigurationErrors.keys(for: fault, in: lines))
            // The line is blanked, and the rest is read again. For a bad section, this is only its name, so that its
            // keys are not reported for it.
            lines[number - 1] = []
        }
        ofLines = found
    }

    /// The message about a file's error. It repeats an unknown key, and names those that the key may be meant for.
    static func message(_ fault: ConfigurationError) -> String {
        guard case .line(_, let file) = fault.location, let text = SystemFile.load(file) else { return fault.message }
        return fault.message + keys(for: fault, in: text.split(separator: 0x0A, omittingEmptySubsequences: false))
    }

    /// The keys of the section with an unknown key; without a section, all.
    private static func keys(for fault: ConfigurationError, in lines: [ArraySlice<UInt8>]) -> String {
        guard [.unknownKey, .unnamedKey].contains(fault.kind), case .line(let number, _) = fault.location else {
            return ""
        }
        let above = lines.prefix(number).reversed().lazy.map {
            String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }
        }
        let section = above.first { $0.hasPrefix("[") && $0.hasSuffix("]") }?.dropFirst().dropLast()
        let keys = ConfigurationOption.allCases.filter { option in
            let home = option.row.section?.text.string
            return home != nil && (section == nil || home == section.map(String.init))
        }
        return " (\(section.map { "[\($0)]" } ?? "the file") can have \(keys.map(\.name).joined(separator: ", ")))"
    }

    /// The error of the file itself, found before its first line is read. A lack of permission is not an error of the
    /// file.
    private static func errorOfFile(_ path: String) -> ConfigurationError? {
        guard FileFacts.isThere(path) else { return nil }
        do throws(ConfigurationError) { _ = try Configuration.load(arguments: ["conf=" + path]) } catch {
            guard case .file(path) = error.location, ![.notPermitted, .shortage].contains(error.kind) else {
                return nil
            }
            return error
        }
        return nil
    }

    private static func fault(_ text: [UInt8], _ path: String) -> ConfigurationError? {
        do throws(ConfigurationError) {
            _ = try Configuration.parse(text.span, path: path, arguments: [])
            return nil
        } catch { return error }
    }
}

extension ConfigurationError {
    /// The command that fixes a file that other users can change because of its owner or mode, or that of a parent
    /// directory; `nil` for another fault.
    static func repair(of path: String) -> Advice? {
        guard let facts = FileFacts(of: path), facts.isFile else { return nil }
        let sudo = geteuid() == 0 || facts.owner == geteuid() ? "" : "sudo ", name = CommonOptions.quoted(path)
        if !facts.isTrusted { return Advice("Fix it: \(sudo)chown root \(name)") }
        if facts.isWritableByOthers { return Advice("Fix it: \(sudo)chmod go-w \(name)") }
        return AgentExamination.unsafeDirectory(of: path).map {
            let name = CommonOptions.quoted($0)
            return Advice("Fix it: sudo chown root: \(name) && sudo chmod go-w \(name)")
        }
    }
}

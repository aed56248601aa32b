// SPDX-License-Identifier: Apache-2.0

/// Adds M-Pin's lines to a service's file and removes them. Changes nothing else in it.
package struct StackBlock {
    package enum Recipe: String, Sendable, CaseIterable {
        /// The PIN is enough. If anything goes wrong with it, the password decides.
        case instead
        /// PIN and password are both required.
        case addition
    }

    /// The lines to add or remove in a file.
    package struct Change {
        /// How many lines precede the change.
        package let position: Int
        package let removed: [String]
        package let added: [String]
        package let content: [UInt8]
    }

    private static let begin = "# BEGIN mpin-enroll: "
    private static let end = "# END mpin-enroll"

    private let content: [UInt8]
    private let text: StackText

    package init(_ content: [UInt8]) {
        self.content = content
        text = StackText(content)
    }

    private static func lines(_ recipe: Recipe, _ service: String, takesPassword: Bool) -> [String] {
        let control =
            recipe == .instead ? "[success=done new_authtok_reqd=done default=ignore]" : "[success=ok default=die]"
        let options =
            (recipe == .instead ? ["ignore_unenrolled"] : [])
            + (recipe == .instead && takesPassword ? ["forward_pass"] : [])
            + (["sudo", "sudo-i"].contains(service) ? ["tries=2"] : [])
        return [
            begin + "\"mpin-enroll pam disable \(service) --yes\" removes these lines",
            (["auth\t\(control)\t\(ModuleKnowledge.own)"] + options).joined(separator: " "), end,
        ]
    }

    /// The change that adds the lines.
    ///
    /// - Parameter reader: reads the files that the file includes.
    package func inserting(
        _ recipe: Recipe, for service: String, _ reader: StackReader
    ) throws(StackBlockError) -> Change {
        let asking = text.lines.indices.filter { leadsToPassword($0, reader) }
        guard let first = asking.first, let last = asking.last else { throw .noPassword }
        let position = recipe == .instead ? text.lines[first].range.lowerBound : text.lines[last].range.upperBound + 1
        if let line = lineJumpingOver(position) { throw .jump(line: line + 1) }
        let lines = StackBlock.lines(recipe, service, takesPassword: reader.service(service).takesPassword)
        return replacing([], with: lines, at: position)
    }

    package func removing() throws(StackBlockError) -> Change {
        let lines = StackText.split(content).map { String(decoding: $0, as: UTF8.self) }
        guard let first = lines.firstIndex(where: { $0.hasPrefix(StackBlock.begin) }) else { throw .absent }
        guard lines.count > first + 2, lines[first + 2] == StackBlock.end,
            lines[first + 1].split(whereSeparator: \.isWhitespace).contains(Substring(ModuleKnowledge.own)),
            lines[first + 1].hasPrefix("auth")
        else { throw .edited(line: first + 1) }
        if let line = lineJumpingOver(first) { throw .jump(line: line + 1) }
        return replacing(Array(lines[first...first + 2]), with: [], at: first)
    }

    /// Whether the file has lines of M-Pin.
    package var isPresent: Bool {
        StackText.split(content).contains { String(decoding: $0, as: UTF8.self).hasPrefix(StackBlock.begin) }
    }

    private func leadsToPassword(_ index: Int, _ reader: StackReader) -> Bool {
        let words = text.lines[index].words.map { String(decoding: $0, as: UTF8.self) }
        guard let type = words.first?.lowercased() else { return false }
        let file: String?
        if type == "@include" {
            file = words.dropFirst().first
        } else {
            guard type == "auth" || type == "-auth", words.count > 2 else { return false }
            let isFile = ["include", "substack"].contains(words[1].lowercased())
            guard isFile else {
                return ModuleKnowledge.asksForPassword(words[2].split(separator: "/").last.map(String.init) ?? "")
            }
            file = words[2]
        }
        return file.map { reader.service($0).asksForPassword } ?? false
    }

    /// The line, counted from 0, with a jump over a place. A change at that place would make the jump end elsewhere.
    private func lineJumpingOver(_ position: Int) -> Int? {
        let auth = text.lines.filter { line in
            let type = line.words.first.map { String(decoding: $0, as: UTF8.self).lowercased() }
            return type == "auth" || type == "-auth" || type == "@include"
        }
        let behind = auth.firstIndex { $0.range.lowerBound >= position } ?? auth.count
        for (index, line) in auth[..<behind].enumerated() where line.words.count > 1 {
            if index + StackControl(line.words[1]).longestJump >= behind { return line.range.lowerBound }
        }
        return nil
    }

    /// Replaces lines. All other bytes stay, and a last line without a newline stays without one.
    private func replacing(_ removed: [String], with added: [String], at position: Int) -> Change {
        let all = StackText.split(content)
        let isEnded = content.isEmpty || content.last == 0x0A
        var lines = all.map { Array($0) }
        lines.replaceSubrange(position..<position + removed.count, with: added.map { Array($0.utf8) })
        var content = Array(lines.joined(separator: [0x0A]))
        if isEnded, !lines.isEmpty { content.append(0x0A) }
        return Change(position: position, removed: removed, added: added, content: content)
    }
}

extension ServiceStacks {
    /// Whether a module of its auth stack checks passwords.
    package var asksForPassword: Bool {
        own(.auth).contains { $0.moduleName.map(ModuleKnowledge.asksForPassword) ?? false }
    }

    /// Whether the first of these modules uses a password that an earlier module has asked for.
    package var takesPassword: Bool {
        for entry in entries(.auth) {
            guard case .module(_, let arguments) = entry.step, let name = entry.moduleName,
                ModuleKnowledge.asksForPassword(name)
            else { continue }
            return ModuleKnowledge.takesPassword(name, arguments)
        }
        return false
    }
}

/// Why M-Pin's lines cannot be added to a file, or removed from it.
package enum StackBlockError: Error {
    /// No line of the file calls or includes a module that asks for the password.
    case noPassword
    /// A line of the file jumps over the place of the change.
    case jump(line: Int)
    case edited(line: Int)
    /// The file has no lines of M-Pin.
    case absent
}

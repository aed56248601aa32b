// SPDX-License-Identifier: Apache-2.0

/// Reads the stacks of services as libpam 1.5 does.
package struct StackReader {
    package typealias Load = (_ path: String) -> StackFile

    /// The directories of PAM files, in search order.
    package static let directories = ["/etc/pam.d", "/usr/lib/pam.d"]

    private let load: Load

    package init(load: @escaping Load) { self.load = load }

    /// The file of a service, or an included file; `nil` if there is none.
    package func path(of name: String) -> String? { find(name)?.path }

    private func find(_ name: String) -> (path: String, file: StackFile)? {
        let paths = name.hasPrefix("/") ? [name] : StackReader.directories.map { $0 + "/" + name }
        for path in paths {
            let file = load(path)
            if case .absent = file { continue }
            return (path, file)
        }
        return nil
    }

    /// The stacks of a service. libpam converts service names to lower case.
    package func service(_ name: String) -> ServiceStacks {
        let name = name.lowercased()
        var fallback = Reading()
        let hasFallback = read("other", nil, &fallback)
        var own = Reading()
        let hasOwn = read(name, nil, &own)
        let isBroken = own.isBroken || fallback.isBroken || !(hasOwn || hasFallback)
        return ServiceStacks(
            name: name, file: path(of: name), files: own.files, unreadable: own.unreadable, own: own.entries,
            fallback: fallback.entries, isBroken: isBroken,
            faults: own.faults + fallback.faults.filter { !own.faults.contains($0) })
    }

    private struct Reading {
        var entries: [StackEntry] = []
        var files: [String] = []
        var unreadable: [String] = []
        /// Whether libpam rejects the whole service.
        var isBroken = false
        var faults: [StackFault] = []
    }

    /// libpam's limit for substacks. For files that include each other it has none, and fails when it cannot open more
    /// files.
    private static let deepest = 16

    /// - Parameter only: the facility to include; `nil` for all.
    /// - Returns: whether the file exists and is readable.
    private func read(
        _ name: String, _ only: StackEntry.Facility?, level: Int = 0, depth: Int = 0, _ reading: inout Reading
    ) -> Bool {
        guard depth < StackReader.deepest, let (path, file) = find(name) else { return false }
        guard case .content(let bytes) = file else {
            if !reading.unreadable.contains(path) { reading.unreadable.append(path) }
            return false
        }
        if !reading.files.contains(path) { reading.files.append(path) }
        let text = StackText(bytes)
        for line in text.lines { take(line, in: path, only, level, depth, &reading) }
        // A broken file fails the line that includes it, or the whole service if it is the service's own file.
        if text.isBroken, depth == 0 { reading.isBroken = true }
        if let (line, reason) = text.fault {
            reading.faults.append(StackFault(place: StackEntry.Position(file: path, line: line + 1), reason: reason))
        }
        return !text.isBroken
    }

    /// Why an included file cannot be read.
    private func missing(_ name: String?) -> String {
        guard let name else { return "'@include' names no file" }
        guard find(name) == nil else { return "'\(name)' cannot be read, or includes itself" }
        let place = name.hasPrefix("/") ? "" : " in " + StackReader.directories.joined(separator: " or ")
        return "it includes '\(name)', but there is no such file\(place)"
    }

    private func take(
        _ line: StackText.LogicalLine, in path: String, _ only: StackEntry.Facility?, _ level: Int, _ depth: Int,
        _ reading: inout Reading
    ) {
        let place = StackEntry.Position(file: path, line: line.range.lowerBound + 1)
        var words = line.words.map { String(decoding: $0, as: UTF8.self) }[...]
        let type = words.popFirst() ?? ""
        if type.lowercased() == "@include" {
            // Includes all facilities at the same level. If the file is missing, libpam rejects the service. In an
            // included file it continues with an undefined control instead, which counts as a rejection here.
            let known = reading.faults.count
            let isRead = words.first.map { read($0, only, level: level, depth: depth + 1, &reading) } ?? false
            guard !isRead else { return }
            reading.isBroken = true
            // Errors in the included file itself are recorded already.
            if reading.faults.count == known {
                reading.faults.append(StackFault(place: place, reason: missing(words.first)))
            }
            return
        }
        let named = StackEntry.Facility(rawValue: (type.hasPrefix("-") ? String(type.dropFirst()) : type).lowercased())
        let facility = named ?? only ?? .auth
        guard only == nil || only == facility else { return }
        let written = words.popFirst()
        let control = StackControl(written.map { Array($0.utf8) } ?? Array("[]".utf8))
        func add(_ step: StackEntry.Step, level: Int = level) {
            var module: String?
            if case .module(let name, _) = step { module = name }
            let number = reading.entries.count { $0.facility == facility && $0.stepID.module == module }
            reading.entries.append(
                StackEntry(
                    facility: facility, step: step, level: level, place: place, controlWords: written ?? "",
                    control: control, stepID: StackEntry.StepID(module: module, number: number)))
        }
        guard let written, named != nil else {
            let isKnown = named != nil
            return add(.failure(isKnown ? "it has no control" : "'\(type)' is not a PAM facility"))
        }
        switch written.lowercased() {
        case "include", "substack":
            let isSubstack = written.lowercased() == "substack"
            guard let name = words.first else { return add(.failure("it names no file")) }
            if isSubstack { add(.substack) }
            let isRead = read(name, facility, level: level + (isSubstack ? 1 : 0), depth: depth + 1, &reading)
            if !isRead { add(.failure("'\(name)' cannot be read, or includes itself")) }
        default:
            guard let module = words.popFirst() else { return add(.failure("it names no module")) }
            add(.module(module, Array(words)))
        }
    }
}

/// An error in a PAM file and its position.
package struct StackFault: Hashable, Sendable {
    package let place: StackEntry.Position
    package let reason: String

    package var sentence: String { "\(place.file) line \(place.line): \(reason)." }
}

/// The result of reading a PAM file.
package enum StackFile: Sendable {
    case absent
    /// The file exists, but could not be read. A forecast for a service with it would be a guess.
    case unreadable
    case content([UInt8])
}

// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPin
internal import MPinWire

/// The values of a message about an action, in a fixed order: texts, each ended by a NUL. Writing one appends a value,
/// reading one takes the next.
package struct ActionFields: Sendable {
    package private(set) var bytes: [UInt8]
    private var next = 0
    /// Whether a value that was read was missing or had another form.
    private var isBroken = false

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// Whether all values were read, and each had its form.
    package var isWhole: Bool { !isBroken && next == bytes.count }

    /// Overwrites the values, some of which are secrets.
    package mutating func wipe() { unsafe bytes.withUnsafeMutableBytes { unsafe mpin_wipe($0.baseAddress, $0.count) } }

    // MARK: Writing

    package mutating func add(_ text: String?) {
        bytes += (text ?? "").utf8.filter { $0 != 0 }
        bytes.append(0)
    }

    package mutating func add(_ number: Int?) { add(number.map { String($0) }) }

    package mutating func add(_ flag: Bool) { add(flag ? 1 : 0) }

    package mutating func add<Item>(_ items: [Item], _ add: (inout ActionFields, Item) -> Void) {
        self.add(items.count)
        for item in items { add(&self, item) }
    }

    package mutating func append(_ other: ActionFields) { bytes += other.bytes }

    // MARK: Reading

    package mutating func text() -> String {
        guard let end = bytes[next...].firstIndex(of: 0) else {
            isBroken = true
            return ""
        }
        defer { next = end + 1 }
        return String(decoding: bytes[next..<end], as: UTF8.self)
    }

    /// A text; nil for an empty one.
    package mutating func optionalText() -> String? {
        let text = text()
        return text.isEmpty ? nil : text
    }

    /// A number; nil if there is none.
    package mutating func optionalNumber() -> Int? {
        guard let text = optionalText() else { return nil }
        let number = Int(text)
        if number == nil { isBroken = true }
        return number
    }

    package mutating func number() -> Int { required(optionalNumber()) ?? 0 }

    package mutating func flag() -> Bool { number() == 1 }

    package mutating func items<Item>(_ read: (inout ActionFields) -> Item?) -> [Item] {
        var items: [Item] = []
        // Each item has at least one value, so a false number ends with the bytes.
        for _ in 0..<max(0, number()) {
            guard !isBroken, let item = read(&self) else { break }
            items.append(item)
        }
        return items
    }

    /// A value that must not be missing.
    private mutating func required<Value>(_ value: Value?) -> Value? {
        if value == nil { isBroken = true }
        return value
    }

    mutating func item<Value>(of all: [Value]) -> Value? {
        let number = number()
        return required(all.indices.contains(number) ? all[number] : nil)
    }

    // MARK: Errors of the SDK

    private static let checked = [MPinError.PINChecked.no, .maybe, .yes]

    package mutating func add(_ error: MPinError?) {
        add(error?.code.name)
        guard let error else { return }
        add(error.sentence.text.string)
        add(error.prefix.string)
        add(error.attemptsLeft)
        add(Self.checked.firstIndex(of: error.pinChecked))
        add(error.httpStatus)
        add(Int(error.cause.rawValue))
        add(error.retryAfter)
    }

    package mutating func error() -> MPinError? {
        guard let name = optionalText() else { return nil }
        let code = required(MPinStatus.allCases.first { $0.name == name })
        let (sentence, prefix, left) = (text(), text(), optionalNumber())
        let (checked, status) = (item(of: Self.checked), optionalNumber())
        let cause = required(UInt8(exactly: number()).flatMap { MPinError.Cause(rawValue: $0) })
        return MPinError(
            code ?? .cryptoError, relayed: ByteText(sentence), of: ByteText(prefix), attemptsLeft: left,
            pinChecked: checked ?? .maybe, httpStatus: status, cause: cause ?? .caller, retryAfter: optionalNumber())
    }
}

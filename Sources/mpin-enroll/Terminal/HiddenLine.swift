// SPDX-License-Identifier: Apache-2.0
import MPin

/// The editing of a line that is not echoed: erase, kill, interrupt and bracketed paste.
struct HiddenLine: ~Copyable {
    enum Progress { case more, done, canceled, stopped }

    /// The character of Ctrl-Z.
    static let stop: UInt8 = 0x1a

    private var pin: PIN
    private var count = 0
    private var escape = Escape.none

    /// The state of the parser of escape sequences; bracketed paste sends them around the pasted text.
    private enum Escape { case none, begun, sequence }

    init() throws(MPinError) { pin = try PIN() }

    /// Takes one character.
    mutating func take(_ byte: UInt8) -> Progress {
        switch escape {
        case .begun:
            escape = byte == UInt8(ascii: "[") ? .sequence : .none
            return .more
        case .sequence:
            if (0x40...0x7e).contains(byte) { escape = .none }
            return .more
        case .none: break
        }
        switch byte {
        case 0x0a, 0x0d: return .done
        case 0x03, 0x04: return .canceled
        case HiddenLine.stop: return .stopped
        case 0x1b: escape = .begun
        case 0x08, 0x7f: shorten(to: max(0, count - 1))
        case 0x15: shorten(to: 0)
        case 0x00..<0x20: break
        default: append(byte)
        }
        return .more
    }

    /// Discards the typed characters.
    mutating func clear() {
        shorten(to: 0)
        escape = .none
    }

    consuming func finish() -> PIN { pin }

    private mutating func append(_ byte: UInt8) {
        // One character more than the longest PIN is kept, so that a longer line is refused and not truncated.
        guard count < PIN.longest else { return }
        count += 1
        pin.fill(count: count) { bytes in bytes[bytes.count - 1] = byte }
    }

    private mutating func shorten(to length: Int) {
        count = length
        pin.fill(count: count) { _ in }
    }
}

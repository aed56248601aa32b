import MPin

/// A line typed without being shown, edited as terminals do.
struct HiddenLine: ~Copyable {
    enum Progress {
        case more, done, cancelled, stopped
    }

    /// The character of Ctrl-Z.
    static let stop: UInt8 = 0x1a

    private var pin: PIN
    private var count = 0
    private var escape = Escape.none

    /// How far into a control sequence the input is; bracketed paste sends such around the pasted text.
    private enum Escape {
        case none, begun, sequence
    }

    init() throws(MPinError) {
        pin = try PIN()
    }

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
        case 0x03, 0x04: return .cancelled
        case HiddenLine.stop: return .stopped
        case 0x1b: escape = .begun
        case 0x08, 0x7f: shorten(to: max(0, count - 1))
        case 0x15: shorten(to: 0)
        case 0x00..<0x20: break
        default: append(byte)
        }
        return .more
    }

    /// Forgets what was typed so far.
    mutating func clear() {
        shorten(to: 0)
        escape = .none
    }

    consuming func finish() -> PIN {
        pin
    }

    private mutating func append(_ byte: UInt8) {
        // One character past the longest is kept, so that an over-long line is refused and not cut.
        guard count < PIN.longest else { return }
        count += 1
        pin.fill(count: count) { bytes in bytes[bytes.count - 1] = byte }
    }

    private mutating func shorten(to length: Int) {
        count = length
        pin.fill(count: count) { _ in }
    }
}

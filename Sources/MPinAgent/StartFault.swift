// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import CMPinSystem
internal import MPinWire

/// The reason why the agent cannot listen on a path, with the next step.
enum StartFault {
    static func reason(_ code: Int32, _ path: ByteText) -> ByteText {
        switch Int(code) {
        case MPIN_UNSAFE_PARENT, MPIN_UNSAFE_PATH:
            "users other than root can change its directory, or one above it.\n"
                + "Use a directory that only root can change: sudo install -d -o root -g root -m 0755 /run/mpin-agent"
        case -MPIN_ENOENT:
            "its directory does not exist.\nCreate it: sudo install -d -o root -g root -m 0755 " + directory(of: path)
        case -MPIN_EADDRINUSE:
            "the path already exists: a process listens there, or it is another file.\nCheck: sudo ss -xlp src " + path
        default: unsafe ByteText(cString: mpin_agent_reason(-code))
        }
    }

    private static func directory(of path: ByteText) -> ByteText {
        var end = path.count
        while end > 1, path.bytes[end - 1] != UInt8(ascii: "/") { end -= 1 }
        return ByteText(path.bytes.span.extracting(0..<max(1, end - 1)))
    }
}

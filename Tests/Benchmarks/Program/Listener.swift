// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A socket that accepts connections and never reads from them.
struct Listener {
    private let file: Int32
    private let path: String

    init(path: String) throws {
        self.path = path
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let file = file
        guard Connection.address(path, { bind(file, $0, $1) }) == 0, listen(file, 8) == 0 else {
            throw Failure("cannot listen on \(path)")
        }
    }

    func stop() {
        close(file)
        unlink(path)
    }
}

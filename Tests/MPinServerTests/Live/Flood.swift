// SPDX-License-Identifier: Apache-2.0

/// A process that opens many connections and sends nothing.
final class Flood: Companion {
    private static let program = """
        import socket, sys
        count, address, source = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        kept = []
        for number in range(count):
            if source:
                kept.append(socket.create_connection(("127.0.0.1", int(address)), source_address=(source, 0)))
            else:
                kept.append(socket.socket(socket.AF_UNIX))
                kept[-1].connect(address)
        print("ready", flush=True)
        sys.stdin.read()
        """

    /// Opens them from an address of this host.
    init(_ count: Int, from source: String, port: UInt16) throws {
        try super.init(["/usr/bin/python3", "-c", Flood.program, "\(count)", "\(port)", source])
    }

    /// Opens them as another user.
    init(_ count: Int, asUser user: UInt32, socket: String) throws {
        try super.init([
            "/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/python3", "-c",
            Flood.program, "\(count)", socket, "",
        ])
    }
}

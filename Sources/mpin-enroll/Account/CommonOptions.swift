import ArgumentParser
import MPin

/// The options that every command takes.
struct CommonOptions: ParsableArguments {
    @Option(name: .long, help: "The Unix account; root may name any, others only with a store of their own.")
    var user: String?

    @Option(
        name: .long, help: "The identity at the server; without it the one enrolled, or user_map's, or the account.")
    var identity: String?

    @Option(name: .long, help: "The server: https://HOST[:PORT][/PATH] or unix:PATH.")
    var server: String?

    @Option(name: .long, help: "A directory in place of /var/lib/mpin.")
    var store: String?

    @Option(name: .long, help: "A configuration file in place of /etc/mpin/mpin.conf.")
    var config: String?

    @Option(name: .long, help: "The CA certificates that the server's certificate is judged by, PEM.")
    var caFile: String?

    @Option(name: .long, help: "Seconds for each exchange with the server.")
    var timeout: Int?

    @Flag(name: .long, help: "Print exactly one JSON object.")
    var json = false

    @Flag(name: .long, help: "Never ask anything.")
    var noInput = false

    /// The configuration with these options over it.
    func configuration() throws(CommandFailure) -> Configuration {
        var arguments: [String] = []
        if let config { arguments.append("conf=" + absolute(config)) }
        if let store { arguments.append("store=" + absolute(store)) }
        if let server { arguments.append("server=" + absoluteSocket(server)) }
        if let caFile { arguments.append("ca_file=" + absolute(caFile)) }
        if let timeout { arguments.append("timeout=\(timeout)") }
        do { return try Configuration.load(arguments: arguments) } catch {
            throw CommandFailure(.configuration, "CONFIGURATION", error.message)
        }
    }

    private func absoluteSocket(_ server: String) -> String {
        server.hasPrefix("unix:") ? "unix:" + absolute(String(server.dropFirst("unix:".count))) : server
    }

    /// A path as seen from anywhere; the store and the socket are opened from the root down.
    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") || path.isEmpty ? path : WorkingDirectory.path + "/" + path
    }
}

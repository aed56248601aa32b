// SPDX-License-Identifier: Apache-2.0
internal import Logging

/// A logger of the server. All loggers use the same output.
struct ServerLogHandler: LogHandler {
    let output: LogOutput
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    /// More detail than `notice` could show the M-Pin IDs in paths.
    var logLevel: Logger.Level {
        get { .notice }
        set {}
    }

    init(output: LogOutput) { self.output = output }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var members = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
        members.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { members["error"] = "\(error)" }
        output.write(
            event.level, event.message.description,
            members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.description) }, source: event.source)
    }
}

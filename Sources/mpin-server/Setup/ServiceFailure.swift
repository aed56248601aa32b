// SPDX-License-Identifier: Apache-2.0
import Console
import SystemFiles

/// Why the installed server does not run, as far as systemd knows it.
enum ServiceFailure {
    /// The reason that the server itself reported at its end, or what systemd did to it; nil if the unit has not failed.
    static var reason: String? {
        guard Systemd.isRunning,
            let shown = try? SystemCommand(
                "/usr/bin/systemctl", "show", "--property=ActiveState,Result,StatusText", SetupCommand.unit
            ).run(), shown.status == 0
        else { return nil }
        var properties: [Substring: Substring] = [:]
        for line in shown.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[parts[0]] = parts[1] }
        }
        guard let result = properties["Result"], result != "success", properties["ActiveState"] != "active" else {
            return nil
        }
        // After a signal or a timeout, the status text is older than the failure.
        guard result == "exit-code", let text = properties["StatusText"], !text.isEmpty else {
            return "systemd reports: \(visible(String(result)))"
        }
        return visible(String(text))
    }
}

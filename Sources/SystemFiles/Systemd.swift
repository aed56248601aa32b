// SPDX-License-Identifier: Apache-2.0

/// systemd, which starts the services of most machines.
package enum Systemd {
    /// Whether it runs this machine.
    package static var isRunning: Bool { FileFacts(target: "/run/systemd/system") != nil }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A headless Chromium with a profile of its own.
final class Browser: @unchecked Sendable {
    private let driver: WebDriver
    private let session: String
    private let profile: String

    /// - Parameters:
    ///   - width: of the window, in CSS pixels.
    ///   - isDark: what the reader's system prefers.
    init(_ driver: WebDriver, width: Int = 1_000, height: Int = 760, isDark: Bool = false) async throws {
        self.driver = driver
        profile = "/tmp/mpin-browser-\(UUID().uuidString.prefix(8))"
        // The sandbox needs rights that root in a container gives away.
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--no-first-run", "--disable-background-networking", "--user-data-dir=\(profile)",
        ]
        let capabilities: [String: Any] = [
            "browserName": "chrome", "acceptInsecureCerts": true, "goog:loggingPrefs": ["browser": "ALL"],
            "goog:chromeOptions": ["binary": WebDriver.browser, "args": arguments],
        ]
        let made = try await driver.call("POST", "/session", ["capabilities": ["alwaysMatch": capabilities]])
        session = try #require((made as? [String: Any])?["sessionId"] as? String)
        try await develop(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 2, "mobile": false])
        try await develop(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
    }

    /// Closes it and forgets its profile.
    func close() async {
        _ = try? await driver.call("DELETE", "/session/\(session)")
        try? FileManager.default.removeItem(atPath: profile)
    }

    /// A command of the browser's own protocol.
    func develop(_ command: String, _ parameters: [String: Any]) async throws {
        try await driver.call("POST", "/session/\(session)/goog/cdp/execute", ["cmd": command, "params": parameters])
    }

    func open(_ url: String) async throws { try await driver.call("POST", "/session/\(session)/url", ["url": url]) }

    /// Runs the body of a function in the page, and returns its value.
    func run(_ script: String) async throws -> Any? {
        try await driver.call("POST", "/session/\(session)/execute/sync", ["script": script, "args": [Any]()])
    }

    /// The text of an element as it is seen; empty while it is hidden.
    func text(_ id: String) async throws -> String {
        try await run("return document.getElementById('\(id)').innerText") as? String ?? ""
    }

    func isShown(_ id: String) async throws -> Bool {
        try await run("return document.getElementById('\(id)').offsetParent !== null") as? Bool ?? false
    }

    /// Waits until a condition in the page is true.
    func wait(for condition: String, seconds: Double = 120) async throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            if try await run("return Boolean(\(condition))") as? Bool == true { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        let seen = try await run("return document.body.innerText") as? String
        Issue.record("never: \(condition); the page says: \(seen ?? "nothing")")
    }

    /// Waits for a number, another one than that, and returns it without its gap.
    func number(otherThan old: String = "", seconds: Double = 120) async throws -> String {
        let digits = "document.getElementById('number').textContent.replace(/\\D/g, '')"
        try await wait(for: "\(digits).length === 7 && \(digits) !== '\(old)'", seconds: seconds)
        return try await run("return \(digits)") as? String ?? ""
    }

    /// Presses and releases keys, one after the other.
    func press(_ keys: String...) async throws {
        let actions = keys.flatMap { [["type": "keyDown", "value": $0], ["type": "keyUp", "value": $0]] }
        try await driver.call(
            "POST", "/session/\(session)/actions",
            ["actions": [["type": "key", "id": "keyboard", "actions": actions] as [String: Any]]])
    }

    /// A screenshot, as PNG.
    func screenshot() async throws -> Data {
        let text = try await driver.call("GET", "/session/\(session)/screenshot") as? String
        return try #require(Data(base64Encoded: text ?? ""))
    }

    /// What the browser has complained about, once.
    func complaints() async throws -> [String] {
        let entries = try await driver.call("POST", "/session/\(session)/se/log", ["type": "browser"])
        return (entries as? [[String: Any]] ?? []).compactMap { $0["message"] as? String }
    }
}

/// Keys as WebDriver names them.
enum Key {
    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
}

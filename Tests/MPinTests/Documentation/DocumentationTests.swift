// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// The documentation says what the library does.
@Suite struct DocumentationTests {
    static let catalog = MethodTableTests.repository.appending(path: "Sources/MPin/MPin.docc")
    static let articles = ["FirstSignIn", "RegisterAndSignIn", "AccessNumbersAndLogout"]

    private func page(_ name: String) throws -> String {
        try String(contentsOf: DocumentationTests.catalog.appending(path: name + ".md"), encoding: .utf8)
    }

    /// The examples do what they say, because they are in a file of these tests that runs them. What an application
    /// brings along itself is compiled by scripts/sdk-package.
    @Test(arguments: articles) func `examples are compiled`(article: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: article + "Example.swift")
        let source = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let blocks = try page(article).components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
        }
        #expect(blocks.count >= 4)
        for block in blocks {
            // The values of a program are in its properties here.
            let rest = block[0] == "import MPin" ? Array(block.drop { !$0.contains("func ") }) : block
            guard article == "FirstSignIn" || block[0] != "import MPin" else { continue }
            #expect(rest.isEmpty || contains(source, rest), "\(article): \(block[0])")
        }
    }

    /// Whether a source contains lines, all indented by the same amount.
    private func contains(_ source: [String], _ block: [String]) -> Bool {
        source.indices.contains { start in
            guard source.count - start >= block.count, source[start].hasSuffix(block[0]) else { return false }
            let depth = String(source[start].dropLast(block[0].count))
            guard depth.allSatisfy({ $0 == " " }) else { return false }
            return zip(source[start...], block).allSatisfy { $0 == ($1.isEmpty ? "" : depth + $1) }
        }
    }

    @Test(arguments: [true, false]) func `registering and signing in works`(verifiedAtOnce: Bool) throws {
        let fixture = try DirectFixture()
        let reference = fixture.reference
        reference.activates = verifiedAtOnce
        try fixture.direct.know(ProvenEnrollmentTests.code)
        let example = RegisterAndSignInExample(
            directory: fixture.store, server: fixture.server.url, invitation: ProvenEnrollmentTests.code)
        example.shown.whileWaiting = { reference.activates = true }
        try example.run()
        #expect(example.shown.texts.count == 1)
        #expect(example.shown.texts[0].hasPrefix("Signed in: {"))
        #expect(try fixture.record().contains("\"REGISTERED\""))
    }

    @Test func `a first sign-in works`() async throws {
        let fixture = try DirectFixture()
        try fixture.direct.know(ProvenEnrollmentTests.code)
        let example = FirstSignInExample(
            directory: fixture.store, server: fixture.server.url, invitation: ProvenEnrollmentTests.code)
        let shown = try await example.run()
        let page = try page("FirstSignIn")
        #expect(shown.count == 5 && page.contains("```\n" + shown.joined(separator: "\n") + "\n```"))
        let again = try await example.run()
        #expect(again.count == 6 && again[0] == shown[3] && again[1].hasPrefix("This user is blocked"))
    }

    @Test func `a started login waits in a property`() throws {
        let (fixture, _, _) = try Fixture.enrolled()
        var client = try fixture.open()
        try client.setBackend(fixture.server.url)
        let listed = client.users.first
        let user = try #require(listed)
        let signIn = SignIn(client)
        #expect(try !signIn.finish(secret("4962")))
        try signIn.begin(user)
        #expect(try !signIn.finish(secret("4963")))
        #expect(try signIn.finish(secret("4962")))
        #expect(try !signIn.finish(secret("4962")))
    }

    @Test func `changing the PIN and lifting a block work`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let example = RegisterAndSignInExample(directory: "", server: "", invitation: "")
        try example.change(user, from: secret("4962"), to: secret("7385"), by: &client.mpin)
        fixture.answer("/mpinAuthenticate", .status(410))
        _ = try? client.logIn(user, "7385")
        #expect(user.state == .blocked)
        #expect(try status { try example.unblock(user, pin: secret("7385"), by: &client.mpin) } == .incorrectPIN)
        fixture.answerAsEver()
        try example.unblock(user, pin: secret("7385"), by: &client.mpin)
        #expect(user.state == .registered)
    }

    /// Each state and each call of the page on the states is as the table of states has it.
    @Test func `states are complete`() throws {
        let text = try page("UserStates")
        for state in UserState.allCases { #expect(text.contains("| \(state.name) |")) }
        let rows = text.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }
        let columns = [
            "NEW": "NEW", "STARTED": "STARTED", "ACTIVATED": "ACTIVATED", "READY": "REGISTERED", "BLOCKED": "BLOCKED",
        ]
        let heading = try #require(rows.first { $0.hasPrefix("| Call | NEW") }).components(separatedBy: "|")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        for cell in StateTable.cells where cell.serverIsChosen && !cell.call.contains("+") {
            guard let column = columns[cell.user].flatMap(heading.firstIndex(of:)),
                let row = rows.first(where: { $0.hasPrefix("| \(cell.call) |") })
            else { continue }
            let says = row.components(separatedBy: "|")[column].trimmingCharacters(in: .whitespaces)
            let fits = cell.expected != "FLOW_ERROR"
            #expect(says.isEmpty == !fits || !["yes", ""].contains(says), "\(cell.call) \(cell.user)")
        }
    }

    @Test func `a blocked user recovers`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try fixture.enrolled(pin: "4962")
        for _ in 1...3 { _ = try status { try client.logIn(user, "1357") } }
        #expect(user.state == .blocked)
        let blocked = user.mpinID
        let example = RegisterAndSignInExample(
            directory: fixture.store, server: fixture.server.url, invitation: "")
        try fixture.direct.know(example.recoveryCode)
        try example.recover(with: secret("7385"))
        #expect(example.shown.texts.isEmpty)
        #expect(try fixture.open(.staging).allUsers.isEmpty)
        let later = Client(try fixture.open())
        try later.mpin.setBackend(fixture.server.url)
        let renewed = later.mpin.allUsers
        #expect(renewed.count == 1 && renewed[0].mpinID != blocked)
        try later.logIn(renewed[0], "7385")
    }

    @Test func `access numbers and logout work`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.enrolled()
        let shown = { (number: String) throws -> [String] in
            let example = AccessNumbersAndLogoutExample(user: user, number: number)
            try example.run(secret("4962"), by: &client.mpin)
            return example.shown.texts
        }
        #expect(try shown("4241703") == ["Sign in at Demo", "Signed out."])
        #expect(try shown("4241702") == ["Mistyped: check the number."])
        #expect(try shown("6418791") == ["Sign in at Demo", "The number is no longer valid."])
        let example = AccessNumbersAndLogoutExample(user: user, number: "")
        try example.oneTimePassword(secret("4962"), by: &client.mpin)
        #expect(example.shown.texts == ["035219 for 60 seconds"])
    }

    /// Every link of the pages and of the comments leads to something that is public.
    @Test func `links lead somewhere`() throws {
        let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let output = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: output) }
        let script = Process()
        script.executableURL = MethodTableTests.repository.appending(path: "scripts/documentation")
        script.arguments = [products.path, output.path]
        let faults = Pipe()
        script.standardOutput = FileHandle.nullDevice
        script.standardError = faults
        try script.run()
        let told = try faults.fileHandleForReading.readToEnd() ?? Data()
        script.waitUntilExit()
        #expect(script.terminationStatus == 0, "\(String(decoding: told, as: UTF8.self))")
    }

    /// Every status is in the table, by the number of its place.
    @Test func `status codes are complete`() throws {
        let rows = try page("StatusCodes").components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count == MPinStatus.allCases.count)
        for ((number, status), row) in zip(MPinStatus.allCases.enumerated(), rows) {
            #expect(row.hasPrefix("| \(number) | \(status.name) | "))
        }
    }

    /// Every call of the tests' table is in the table of names, under the same name.
    @Test func `milagro names are complete`() throws {
        let rows = try page("MilagroNames").components(separatedBy: "\n").filter { $0.hasPrefix("| ") }
        let table = try String(contentsOf: StateTable.directory.appending(path: "methods.table"), encoding: .utf8)
        for line in table.components(separatedBy: "\n") where line.contains("|") && !line.hasPrefix("#") {
            let cells = line.components(separatedBy: " | ")
            guard cells[0] != "-" else { continue }
            let name = cells[0].components(separatedBy: "(")[0]
            let isThere = rows.contains { $0.hasPrefix("| " + name) && $0.contains("``MPinClient/\(cells[1])``") }
            #expect(isThere, "\(cells[0])")
        }
    }
}

/// What the examples show to their person, and what the person does.
final class Shown {
    var texts: [String] = []
    /// What happens while an example waits.
    var whileWaiting: () -> Void = {}
}

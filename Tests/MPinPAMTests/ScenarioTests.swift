import Foundation
import Testing

/// All scenarios, each a file.
struct ScenarioTests {
    @Test("What happens is what the file says", arguments: Scenario.all)
    func holds(_ scenario: Scenario) throws {
        let played = try ScenarioRunner().play(scenario)
        if ProcessInfo.processInfo.environment["MPIN_RECORD_SCENARIOS"] != nil {
            try played.write(to: scenario.file, atomically: true, encoding: .utf8)
        } else {
            #expect(played == scenario.text)
        }
    }

    @Test("There are scenarios")
    func thereAreSome() {
        #expect(Scenario.all.count >= 150)
    }
}

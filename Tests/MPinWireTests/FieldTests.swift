import MPinWire
import Testing

@Suite struct FieldTests {
    @Test("Every member has a name")
    func names() {
        for field in MemberName.allCases { #expect(!field.name.text.isEmpty, "\(field)") }
    }
}

// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

@Suite struct FieldTests {
    @Test
    func `every member has a name`() {
        for field in MemberName.allCases { #expect(!field.name.text.isEmpty, "\(field)") }
    }
}

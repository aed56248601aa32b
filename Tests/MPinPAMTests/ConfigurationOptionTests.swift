// SPDX-License-Identifier: Apache-2.0
import CTPM
import MPin
import MPinConfiguration
import MPinWire
import ManualPages
import Testing

/// The table of options, and the manual pages that list it.
struct ConfigurationOptionTests {
    @Test func `every option has a name and a sentence of its own and the form of its default`() throws {
        let options = ConfigurationOption.allCases
        #expect(Set(options.map { "\($0.row.name)" }).count == options.count)
        #expect(Set(options.map { "\($0.row.sentence)" }).count == options.count)
        for option in options {
            let (row, sentence) = (option.row, "\(option.row.sentence)")
            #expect(!sentence.isEmpty && !sentence.hasSuffix(".") && !sentence.contains("\n"), "\(row.name)")
            #expect("\(row.since)".split(separator: ".").count == 2, "\(row.name)")
            guard "\(row.standard)" != "" else { continue }
            let none: [UInt8] = []
            #expect(throws: Never.self, "\(row.name)") {
                try Configuration.parse(none.span, path: "/none", arguments: ["\(row.name)=\(row.standard)"])
            }
        }
    }

    /// Without the option, keys are made in the TPM that libtss2's calls use by themselves.
    @Test func `the default TPM is the same in the configuration and in the calls`() {
        #expect("\(ConfigurationOption.tpmDevice.row.standard)" == MPIN_TPM_DEVICE)
    }

    private static let longest = String(repeating: "x", count: 106)

    private static let names: [(String, Int32)] = [
        ("device:/dev/tpm0", 7), ("device:/", 0), ("device:dev/tpm0", 0), ("swtpm:path=", 0), ("swtpm:path=/", 0),
        ("cmd:/bin/sh", 0), ("swtpm:path=/\(longest)", 11), ("swtpm:path=/\(longest)x", -1),
        ("device:/\(longest)x", 7),
    ]

    @Test(arguments: names)
    func `a TPM has a device or a socket that can exist`(_ name: String, _ path: Int32) {
        var isDevice: Int32 = 0
        #expect(unsafe mpin_tpm_path(name, &isDevice) == path)
        #expect((isDevice != 0) == name.hasPrefix("device:/"))
    }

    @Test(arguments: ConfigurationOption.allCases)
    func `an option is accepted in its section and refused elsewhere`(_ option: ConfigurationOption) {
        let row = option.row
        let standard = "\(row.standard)".isEmpty ? Self.example(row.kind) : "\(row.standard)"
        for section in ["server", "store", "login", "remote", "log"] {
            let text = Array("[\(section)]\n\(row.name) = \"\(standard)\"".utf8)
            let isAllowed = (try? Configuration.parse(text.span, path: "/none", arguments: [])) != nil
            #expect(isAllowed == (row.section.map { "\($0)" } == section), "\(row.name) in \(section)")
        }
    }

    private static func example(_ kind: ConfigurationRow.Kind) -> String {
        switch kind {
        case .address: "https://mpin.example.org"
        case .path, .pathOrNone: "/etc/mpin/authority.pem"
        case .tpm: "auto"
        case .tpmDevice: "device:/dev/tpmrm1"
        case .template: "%u@example.org"
        case .tlsPin: "sha256//" + String(repeating: "A", count: 43) + "="
        case .fingerprint: String(repeating: "3f", count: 32)
        default: "pin"
        }
    }

    /// What a value is, for the manual.
    private static func form(_ kind: ConfigurationRow.Kind) -> String {
        switch kind {
        case .flag: "yes or no"
        case .path: "an absolute path"
        case .pathOrNone: "an absolute path, or none"
        case .tpm: "`no` or `auto`"
        case .tpmDevice: "`device:/PATH` or `swtpm:path=/PATH`"
        case .address: "an address"
        case .tlsPin: "`sha256//HASH`, several separated by semicolons"
        case .fingerprint: "64 hexadecimal digits, with or without hyphens or colons"
        case .seconds: "a number of seconds"
        case .tries: "a number from 1 to 3"
        case .text: "text of at most 200 bytes"
        case .account: "an account name"
        case .names: "names separated by commas or white space"
        case .template: "a template, with %u for the account and %% for a percent sign"
        case .method: "pin"
        case .refusal: "refuse or report"
        }
    }

    /// An item of the manual's list.
    private static func item(_ option: ConfigurationOption) -> [String] {
        let row = option.row
        let standard = "\(row.standard)".isEmpty ? "there is no default" : "the default is `\(row.standard)`"
        let since = "\(row.since)" == "0.1" ? "" : " Since version \(row.since)."
        return [".It Cm \(row.name)"]
            + ManualText.lines(
                ManualText.sentence("\(row.sentence)") + " The value is \(form(row.kind)); \(standard)." + since,
                links: ["pam.d": "pam_mpin 8"])
    }

    @Test func `the manuals have every option with its row`() throws {
        let sections = Dictionary(grouping: ConfigurationOption.allCases) {
            $0.row.section.map { "\($0)" } ?? "arguments"
        }
        for (section, options) in sections {
            var page = try ManualPage(section == "arguments" ? "pam_mpin.8" : "mpin.conf.5")
            let items = options.flatMap(Self.item)
            #expect(try page.table(section, recording: items) == items, "\(section)")
        }
    }
}

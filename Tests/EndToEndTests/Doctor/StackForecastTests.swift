// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The predictions of `pam show`, compared with the results of the machine's own libpam.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct StackForecastTests {
        /// The message of pamtester for each result; an unreadable service fails with `abort`, sometimes earlier.
        private static let texts = [
            "success": "successfully authenticated", "open_err": "Failed to load module",
            "symbol_err": "Symbol not found", "service_err": "Error in service module", "system_err": "System error",
            "buf_err": "Memory buffer error", "perm_denied": "Permission denied",
            "auth_err": "Authentication failure",
            "cred_insufficient": "Insufficient credentials to access authentication data",
            "authinfo_unavail": "Authentication service cannot retrieve authentication info",
            "user_unknown": "User not known to the underlying authentication module",
            "maxtries": "Have exhausted maximum number of retries for service",
            "new_authtok_reqd": "Authentication token is no longer valid; new one required",
            "acct_expired": "User account has expired", "ignore": "The return value should be ignored by PAM dispatch",
            "abort": "Critical error - immediate abort", "module_unknown": "Module is unknown",
        ]

        private static func result(of text: String) -> String {
            if text.contains("Initialization failure") { return "abort" }
            return texts.first { text.contains($0.value) }?.key ?? text
        }

        // MARK: Random stacks

        private struct Stacks {
            var random: RandomNumbers

            mutating func pick(_ words: [String]) -> String { words[Int(random.next() % UInt64(words.count))] }
            mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

            private static let results = [
                "success", "success", "success", "success", "auth_err", "auth_err", "auth_err", "ignore",
                "authinfo_unavail", "user_unknown", "perm_denied", "new_authtok_reqd", "maxtries", "system_err",
            ]
            private static let actions = [
                "ok", "done", "bad", "die", "ignore", "reset", "1", "2", "3", "1", "2", "3",
            ]
            /// The longest jump, and one with zeros.
            private static let numbers = ["2147483647", "002"]

            private mutating func control() -> String {
                if chance(45) {
                    return pick(["required", "requisite", "sufficient", "optional", "Required", "SUFFICIENT"])
                }
                if chance(8) {
                    return pick([
                        "[nonsense]", "[success=]", "[success=0]", "[default=okay]", "[success = ok default = die]",
                        "[ success=ok  default=1 ]", "[]", "[success=12]", "[default=bad success=ok]",
                    ])
                }
                let pairs = (0...Int(random.next() % 4)).map { _ in
                    pick(Self.results + ["default", "default", "default"]) + "="
                        + pick(chance(6) ? Self.numbers : Self.actions)
                }
                return "[" + pairs.joined(separator: " ") + "]"
            }

            /// If an included file includes an unreadable one in this way, libpam reads uninitialized memory.
            var isService = false

            mutating func line(including names: [String], _ facility: String) -> String {
                let type = pick(Array(repeating: facility, count: 8) + ["-" + facility, facility.uppercased()])
                if !names.isEmpty {
                    if chance(10) { return "\(type) \(pick(["include", "substack", "Substack"])) \(pick(names))" }
                    if chance(4), isService { return "@include " + pick(names) }
                }
                if chance(3) {
                    return pick([
                        "auth", "auth required", "bogus required pam_permit.so", "auth include nothere",
                        "auth substack nothere", "auth required pam_nothere.so", "-auth optional pam_nothere.so",
                        "account required pam_permit.so", isService ? "@include nothere" : "auth include nothere",
                    ])
                }
                if chance(2) { return pick(["# comment", "", "   ", "auth required pam_deny.so # x \\", "# cont \\"]) }
                let module =
                    chance(12) ? pick(["pam_permit.so", "pam_deny.so"]) : "pam_debug.so auth=" + pick(Self.results)
                var words = [type, control(), module].joined(separator: " ")
                if chance(7), let blank = words.firstIndex(of: " ") {
                    words.replaceSubrange(blank...blank, with: " \\\n  ")
                }
                return words + (chance(5) ? "  # behind" : "")
            }

            mutating func file(of most: UInt64, including names: [String], _ facility: String = "auth") -> String {
                let lines = (0...random.next() % most).map { _ in line(including: names, facility) }
                return lines.joined(separator: "\n") + (chance(90) ? "\n" : "")
            }
        }

        struct RandomNumbers: RandomNumberGenerator {
            var state: UInt64
            mutating func next() -> UInt64 {
                state &+= 0x9E37_79B9_7F4A_7C15
                var number = state
                number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
                number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
                return number ^ (number >> 31)
            }
        }

        @Test(arguments: [1, 2])
        func `random stacks behave as predicted`(seed: UInt64) throws {
            let directory = "/tmp/mpin-stacks-\(UUID().uuidString.prefix(8))"
            try #require(mkdir(directory, 0o755) == 0)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            var stacks = Stacks(random: RandomNumbers(state: seed))
            var files = ["other": "auth required pam_deny.so\n"]
            let included = (0..<12).map { "inc\($0)" }
            for (number, name) in included.enumerated() {
                // Some include themselves.
                let names = stacks.chance(10) ? Array(included[...number]) : Array(included[..<number].suffix(4))
                files[name] = stacks.file(of: 5, including: names, stacks.chance(85) ? "auth" : "account")
            }
            stacks.isService = true
            let services = (0..<200).map { "svc\($0)" }
            for name in services { files[name] = stacks.file(of: 7, including: included) }
            for (name, text) in files {
                try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/" + name))
            }
            let script = """
                mount --bind "$1" /etc/pam.d
                for service in $2; do
                    echo "@@$service"
                    "$3" pam show $service --json
                    pamtester $service root authenticate 2>&1 < /dev/null
                done
                """
            let run = try Run(
                "/usr/bin/unshare",
                [
                    "-m", "--propagation", "private", "/bin/sh", "-c", script, "sh", directory,
                    services.joined(separator: " "), Products.enroll,
                ])
            var seen: Set<String> = []
            let parts = run.output.components(separatedBy: "@@").dropFirst()
            #expect(parts.count == services.count, "\(run.errors)")
            for part in parts {
                let lines = part.split(separator: "\n", maxSplits: 2).map(String.init)
                try #require(lines.count == 3, "\(part)")
                let predicted = try Self.codes(lines[1])
                let found = Self.result(of: lines[2])
                seen.insert(found)
                #expect(predicted == [found], "\(lines[0]):\n\(files[lines[0]] ?? "")")
            }
            // Both kinds of ends, and many of them.
            #expect(seen.count > 6 && seen.contains("success") && seen.contains("abort"), "\(seen)")
        }

        /// What is predicted for a service that does not ask M-Pin.
        private static func codes(_ json: String) throws -> Set<String> {
            let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            let forecast = try #require(object?["forecast"] as? [[String: String]])
            return Set(forecast.compactMap { $0["codes"] })
        }

        // MARK: Stacks with M-Pin

        private static let written = [
            "instead":
                "auth [success=done new_authtok_reqd=done default=ignore] pam_mpin.so ignore_unenrolled\n@include base",
            "sufficient": "auth requisite pam_nologin.so\nauth sufficient pam_mpin.so\nauth substack base",
            "addition": "@include base\nauth [success=ok default=die] pam_mpin.so",
            "required": "auth required pam_mpin.so\nauth include base",
            "open": "auth include base\nauth [success=ok authinfo_unavail=ignore default=die] pam_mpin.so",
            "ignored": "@include base\nauth [success=ok default=ignore] pam_mpin.so",
            "jump":
                "auth [success=1 default=ignore] pam_mpin.so\nauth requisite pam_unix.so\nauth required pam_permit.so",
            "alone": "auth required pam_mpin.so ignore_unenrolled",
            "reset":
                "auth [success=ok default=reset] pam_mpin.so\nauth sufficient pam_unix.so\nauth required pam_deny.so",
        ]
        private static let base = """
            auth [success=1 default=ignore] pam_unix.so
            auth requisite pam_deny.so
            auth required pam_permit.so

            """
        private static let outcomes: [(pin: String, codes: [String])] = [
            ("right", ["success"]), ("wrong", ["auth_err", "maxtries", "perm_denied"]),
            ("unreachable", ["authinfo_unavail", "auth_err"]), ("misconfigured", ["service_err", "system_err"]),
            ("notEnrolled", ["ignore", "user_unknown", "auth_err"]),
        ]

        /// pam_debug replaces the two modules, and returns what they would.
        @Test func `each outcome of the PIN leads where it is predicted to`() throws {
            let spare = try SpareMachine(isEnrolled: false)
            let pamd = spare.place("/etc/pam.d")
            for (name, text) in Self.written {
                try spare.put(text + "\naccount required pam_permit.so\n", at: "/etc/pam.d/" + name)
            }
            try spare.put(Self.base, at: "/etc/pam.d/base")
            try spare.put("auth required pam_deny.so\n", at: "/etc/pam.d/other")
            var script = ""
            for name in Self.written.keys { script += "echo @@\(name); \(Products.enroll) pam show \(name) --json\n" }
            for (pin, code) in Self.outcomes.flatMap({ pin, codes in codes.map { (pin, $0) } }) {
                for (password, judged) in [("right", "success"), ("wrong", "auth_err")] {
                    let copy = pamd + "/\(code)-\(password)"
                    script += """
                        mkdir -p \(copy); cd /etc/pam.d
                        for name in base other \(Self.written.keys.joined(separator: " ")); do
                            sed -e 's/pam_mpin.so.*/pam_debug.so auth=\(code)/' -e 's/pam_unix.so.*/pam_debug.so auth=\(judged)/' \\
                                -e 's/pam_nologin.so/pam_permit.so/' < $name > \(copy)/$name
                        done
                        for name in \(Self.written.keys.joined(separator: " ")); do
                            echo "@=$name \(pin) \(password) \(code) $(unshare -m --propagation private sh -c \\
                                "mount --bind \(copy) /etc/pam.d && pamtester $name root authenticate 2>&1 < /dev/null")"
                        done

                        """
                }
            }
            let run = try spare.run(["/bin/sh", "-c", script])
            var predicted: [String: [[String: String]]] = [:]
            for part in run.output.components(separatedBy: "@@").dropFirst() {
                let lines = part.split(separator: "\n", maxSplits: 1).map(String.init)
                let json = lines[1].components(separatedBy: "@=")[0]
                let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
                predicted[lines[0]] = object?["forecast"] as? [[String: String]]
            }
            var found: [String: Set<String>] = [:]
            for part in run.output.components(separatedBy: "@=").dropFirst() {
                let words = part.split(separator: " ", maxSplits: 4).map(String.init)
                // The module's line decides whether it passes over an account that is not enrolled.
                let passes = Self.written[words[0]]?.contains("ignore_unenrolled") ?? false
                if words[1] == "notEnrolled", (words[3] == "ignore") != passes { continue }
                found["\(words[0]) \(words[1]) \(words[2])", default: []].insert(Self.result(of: words[4]))
            }
            #expect(found.count == Self.written.count * 10, "\(run.errors)")
            for (key, codes) in found {
                let words = key.split(separator: " ").map(String.init)
                let row = predicted[words[0]]?.first { $0["pin"] == words[1] && $0["password"] == words[2] }
                #expect(row?["codes"] == codes.sorted().joined(separator: ","), "\(key): \(codes)")
            }
        }

        @Test func `the files of the system and those beside it are read`() throws {
            let spare = try SpareMachine()
            try spare.put("auth required pam_deny.so\naccount required pam_permit.so\n", at: "/usr/lib/pam.d/vendor")
            #expect(try spare.enroll("pam", "show", "VENDOR").output.contains("vendor:1"))
            try spare.put("auth sufficient pam_mpin.so tires=2\n@include common-auth\n", at: "/etc/pam.d/vendor")
            let shown = try spare.enroll("pam", "show", "vendor")
            // A wrong argument refuses even the right PIN.
            #expect(shown.output.contains("right           lets in         refuses"), "\(shown.all)")
            #expect(try spare.enroll("pam", "show", "nothere").output.contains("the service 'other' applies"))
            #expect(try spare.enroll("pam", "show", "../shadow").status == 65)
        }

        @Test func `a file that was not checked is not mentioned`() throws {
            let spare = try SpareMachine()
            let stack = "auth required pam_mpin.so\naccount required pam_permit.so\n"
            try spare.put(String(repeating: "# a line\n", count: 120_000) + stack, at: "/etc/pam.d/large")
            try spare.put(stack, at: "/etc/pam.d/closed", mode: 0o600)
            try spare.put("@include closed\n", at: "/etc/pam.d/open")
            let large = try spare.enroll("pam", "show", "large")
            #expect(
                large.status == 78 && large.errors.contains("pam.d/large is larger than a megabyte"), "\(large.all)")
            #expect(try spare.enroll("pam", "show", "closed").output.contains("closed:1"))
            let user = Launcher.nobody + [Products.enroll]
            for name in ["closed", "open"] {
                let shown = try spare.run(user + ["pam", "show", name])
                #expect(shown.status == 77, "\(shown.all)")
                #expect(shown.errors.contains("/etc/pam.d/closed may not be read by this user"), "\(shown.all)")
                #expect(shown.errors.contains("sudo mpin-enroll pam show \(name)"), "\(shown.all)")
            }
            let doctor = try spare.run(user + ["doctor"])
            #expect(doctor.output.contains("/etc/pam.d/closed may not be read by this user"), "\(doctor.all)")
            #expect(try spare.enroll("doctor").output.contains("pam.d/large is larger than a megabyte"))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The shell completions that `scripts/completions` installs.
    @Suite struct CompletionTests {
        /// The scripts in the directories where shells look for them, until this value is released.
        private final class Installation {
            private let directory =
                FileManager.default.temporaryDirectory.path + "/mpin-completions-\(UUID().uuidString)"

            var share: String { directory + "/usr/share/" }

            init() throws {
                let script = Products.repository.appendingPathComponent("scripts/completions").path
                let run = try Run(script, [Products.enroll, Products.server, Products.agent, directory])
                try #require(run.status == 0, "\(run.errors)")
            }

            deinit { try? FileManager.default.removeItem(atPath: directory) }
        }

        /// The installed program, whose server is a machine's.
        private static func install(_ machine: Machine) throws {
            let program = machine.directory + "/mpin-server"
            try machine.write(
                "#!/bin/sh\nexec \(Products.server) \"$@\" --dir \(machine.directory)/server\n", to: "/mpin-server")
            try #require(chmod(program, 0o755) == 0)
        }

        private static let expected: [(line: String, words: Set<String>)] = [
            ("mpin-enroll re", ["register", "recover", "remove"]),
            ("mpin-enroll register --start", ["--start-over"]),
            ("mpin-enroll pam en", ["enable"]),
            ("mpin-enroll pam show common-aut", ["common-auth"]),
            ("mpin-enroll test --user roo", ["root"]),
            ("mpin-enroll test --pin-file /etc/passw", ["/etc/passwd"]),
            ("mpin-server user re", ["revoke", "restore"]),
            ("mpin-server invite roo", ["root"]),
            ("mpin-server backup /etc/passw", ["/etc/passwd"]),
            ("mpin-agent --l", ["--listen"]),
            ("mpin-agent --config /etc/passw", ["/etc/passwd"]),
        ]

        private static let completing = """
            source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            function=$(complete -p "${COMP_WORDS[0]}"); function=${function##*-F }
            "${function% *}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """

        /// The completions of a line in a shell.
        private static func complete(
            _ line: String, in shell: String, _ share: String, _ environment: [String: String] = [:]
        ) throws -> Run {
            let name = line.prefix { $0 != " " }
            let words =
                shell == "/bin/bash"
                ? ["-c", completing, "bash", share + "bash-completion/completions/\(name)", line]
                : [
                    "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                    share + "fish/vendor_completions.d/\(name).fish", line,
                ]
            return try Run(shell, words, environment: ["HOME": share].merging(environment) { $1 })
        }

        @Test(arguments: ["/bin/bash", "/usr/bin/fish"])
        func `a shell completes commands, options, accounts and files`(_ shell: String) throws {
            guard FileManager.default.isExecutableFile(atPath: shell) else {
                print("note: there is no \(shell), and its completions were not tried")
                return
            }
            let installation = try Installation()
            defer { withExtendedLifetime(installation) {} }
            for (line, words) in Self.expected {
                let run = try Self.complete(line, in: shell, installation.share)
                let found = Set(run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
                #expect(found.isSuperset(of: words) && found.count <= words.count + 1, "\(line): \(run.all)")
            }
        }

        /// Bash splits words at an at sign, which only shows in use, on a terminal.
        @Test func `bash completes a user ID with an at sign, and what follows it`() throws {
            let installation = try Installation(), machine = try Machine()
            defer { withExtendedLifetime(installation) {} }
            try #require(machine.administer("invite", "carol@example.org").status == 0)
            try Self.install(machine)
            let terminal = try Terminal(
                "/usr/bin/env",
                [
                    "PATH=\(machine.directory):/usr/bin:/bin", "PS1=ready> ", "INPUTRC=/dev/null", "/bin/bash",
                    "--norc",
                    "--noprofile", "-i",
                ])
            terminal.answer("ready> ", "source \(installation.share)bash-completion/completions/mpin-server")
            #expect(terminal.shows("ready> "))
            for typed in ["c", "carol", "carol@", "carol@ex"] {
                terminal.type("mpin-server user show \(typed)\t")
                #expect(terminal.shows("carol@example.org: INVITED"), "\(typed): \(terminal.screen)")
                #expect(terminal.shows("ready> "))
            }
            terminal.type("mpin-server user show carol@example.org --js\t")
            terminal.answer("\"userId\":\"carol@example.org\"", "exit")
            #expect(terminal.end() == 0)
        }

        /// Users choose their IDs. A shell expands what it is offered.
        @Test(arguments: ["/bin/bash", "/usr/bin/fish"]) func `no user ID runs a command in the administrator's shell`(
            _ shell: String
        ) throws {
            guard FileManager.default.isExecutableFile(atPath: shell) else { return }
            let installation = try Installation(), machine = try Machine()
            defer { withExtendedLifetime(installation) {} }
            let trace = machine.directory + "/trace"
            let hostile = ["$(id>\(trace))", "`id>\(trace)`", "(id>\(trace))", "c;id>\(trace)"]
            for user in ["carol@example.org"] + hostile { _ = try machine.administer("invite", user) }
            let users = try machine.administer("user", "list").output
            #expect(users.contains("$(id") && users.contains("`id"), "\(users)")
            try Self.install(machine)
            let run = try Self.complete(
                "mpin-server user show c", in: shell, installation.share, ["PATH": machine.directory + ":/usr/bin:/bin"]
            )
            #expect(run.output.contains("carol@example.org") && !run.output.contains("id>"), "\(run.all)")
            #expect(access(trace, F_OK) != 0, "\(run.all)")
        }

        /// Types a line in a zsh on a separate terminal, lists its completions, and deletes the line.
        private static let typing = #"""
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "fpath=($1 \$fpath); stty cols 200; autoload -Uz compinit; compinit -u -D; print READ''Y"
            zpty -r z out '*READY*'
            zpty -w z "bindkey '^T' list-choices; PS1='<rea''dy>'"
            zpty -r z out '*<ready>*'
            zpty -w -n z "$2"$'\C-t\C-u'"print DO''NE"$'\n'
            zpty -r z out '*DONE*'
            print -r -- "$out"
            """#

        /// Text in a script that zsh would interpret only shows in use, which needs a terminal.
        @Test func `zsh completes commands, options, accounts and files`() throws {
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh") else {
                print("note: there is no zsh, and its completions were not tried")
                return
            }
            let installation = try Installation()
            defer { withExtendedLifetime(installation) {} }
            let share = installation.share
            for (line, words) in Self.expected {
                let run = try Run(
                    "/usr/bin/zsh", ["-f", "-c", Self.typing, "zsh", share + "zsh/vendor-completions", line],
                    environment: ["HOME": share, "TERM": "dumb"])
                #expect(!run.all.contains("_arguments:") && !run.all.contains("eval"), "\(line): \(run.all)")
                for word in words {
                    let isShown = run.output.contains(word.split(separator: "/").last ?? "")
                    #expect(isShown, "\(line): \(run.all)")
                }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Another program, run to its end without input and with no other open files than its output, which is returned.
package struct ChildProgram {
    /// Its exit status; 128 plus the number of the signal that ended it.
    package let status: Int32
    package let output: String
    package let errors: String

    /// - Parameters:
    ///   - words: a path, or a name that is searched in the directories of PATH; and the arguments.
    ///   - environment: its variables.
    /// - Throws: ``SystemError`` if it did not start.
    package init(_ words: [String], environment: [String]) throws(SystemError) {
        let program = try StartedProgram(words, environment: environment)
        // The output of these programs fits into a pipe, so they never block on one pipe while the other is read.
        output = ChildProgram.text(program.output)
        errors = ChildProgram.text(program.errors)
        status = try program.end()
    }

    private static func text(_ file: borrowing SystemFile) -> String {
        String(decoding: (try? file.read(upTo: .max)) ?? [], as: UTF8.self)
    }
}

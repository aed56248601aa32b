// SPDX-License-Identifier: Apache-2.0
import SystemFiles

extension ChildProgram {
    /// Runs a program to its end, with a clean environment.
    ///
    /// - Parameters:
    ///   - words: the absolute path and the arguments.
    ///   - variables: further environment variables.
    ///   - isSilent: whether to discard its output.
    /// - Returns: whether it succeeded.
    static func succeeds(_ words: [String], variables: [String] = [], isSilent: Bool = false) -> Bool {
        let environment =
            variables + ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        let child = try? ChildProgram(words, environment: environment, output: isSilent ? .nowhere : .standardError)
        return child?.status == 0
    }
}

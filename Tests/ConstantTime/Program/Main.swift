// SPDX-License-Identifier: Apache-2.0
import CValgrind
import MPinCrypto

/// Looks for branches and addresses that depend on secrets, in the manner of ctgrind (Langley 2010): the secrets are
/// marked undefined and memcheck reports what it would report of uninitialized memory.
///
/// To be run by `scripts/constant-time`, in a release build: it is the compiled code that has this property or not.
@main
struct ConstantTime {
    static func main() throws(CryptoError) {
        guard mpin_under_memcheck() == 1 else {
            print("constant-time: not under valgrind, or built without its header (Debian: valgrind)")
            exit(2)
        }
        let operations = try Operations()
        var failures = 0
        for (name, run) in Operations.all {
            let before = mpin_reports()
            try run(operations)
            let reports = mpin_reports() - before
            print("\(name): \(reports) reports")
            if reports != 0 { failures += 1 }
        }
        for (name, decisions, run) in Operations.deciding {
            let before = mpin_reports()
            try run(operations)
            let reports = mpin_reports() - before
            print("\(name): \(reports) reports, of \(decisions) at most")
            if reports == 0 || reports > decisions { failures += 1 }
        }
        for (name, run) in Control.all {
            let before = mpin_reports()
            run(operations)
            let reports = mpin_reports() - before
            print("control, \(name): \(reports) reports")
            if reports == 0 { failures += 1 }
        }
        print(failures == 0 ? "constant time: all as it should be" : "constant time: \(failures) not as it should be")
        exit(failures == 0 ? 0 : 1)
    }
}

internal import Foundation
internal import Glibc

extension ServerLock {
    /// The process that holds the lock, as the kernel lists it; nil where it does not tell, as of a process in another
    /// container.
    static func holder(of file: Int32) -> Int32? {
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0,
            let table = try? String(contentsOf: URL(fileURLWithPath: "/proc/locks"), encoding: .utf8)
        else { return nil }
        for line in table.split(separator: "\n") {
            // 1: FLOCK  ADVISORY  WRITE 3151 fe:00:12345 0 EOF
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[5].split(separator: ":").last == "\(facts.st_ino)",
                let process = Int32(fields[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }
}

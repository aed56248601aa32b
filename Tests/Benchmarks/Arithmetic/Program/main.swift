// SPDX-License-Identifier: Apache-2.0
import CMCL
import Glibc
import OtherOperations
import ThisOperations

/// Processor time of this process, in microseconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// The times of one operation, in microseconds.
struct Times {
    private var all: [Double] = []

    mutating func measure(_ count: Int, _ body: () throws -> Void) rethrows {
        let start = processorTime()
        for _ in 0..<count { try body() }
        all.append((processorTime() - start) / Double(count))
    }

    var minimum: Double { all.min() ?? 0 }
    var median: Double { all.isEmpty ? 0 : all.sorted()[all.count / 2] }
}

func text(_ number: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let digits = String(Int((number * scale).rounded()))
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return padded.dropLast(places) + (places == 0 ? "" : ".") + padded.suffix(places)
}

func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

/// mcl's operations, by our names for them.
let namesInMCL: [String: Int32] = [
    "G1 multiplication, constant time": 0, "G2 multiplication": 1, "hash to G1, average of 64": 2,
    "product of two pairings, prepared": 3, "final exponentiation": 4,
]

do {
    let ours = try ThisOperations.Operations.all()
    let theirs = try OtherOperations.Operations.all()
    let path = CommandLine.arguments.dropFirst().first
    let hasMCL = path.map { mpin_mcl_open($0) == 0 } ?? false
    var times = ours.map { _ in (ours: Times(), theirs: Times(), mcl: Times()) }
    // The first rounds warm up.
    for round in -3..<100 {
        for index in ours.indices {
            var (a, b, c) = (Times(), Times(), Times())
            if round >= 0 { (a, b, c) = times[index] }
            try a.measure(ours[index].times, ours[index].body)
            try b.measure(theirs[index].times, theirs[index].body)
            if hasMCL, let operation = namesInMCL[ours[index].name] {
                c.measure(ours[index].times) { mpin_mcl_run(operation) }
            }
            if round >= 0 { times[index] = (a, b, c) }
        }
    }
    let header = ["this, us", "other, us", "ratio", "of medians", "mcl, us"]
    print(pad("minima", 36) + header.map { pad($0, 12) }.joined())
    for (operation, time) in zip(ours, times) {
        let mcl = !hasMCL ? "not given" : namesInMCL[operation.name] == nil ? "" : text(time.mcl.minimum, 1)
        let columns = [
            text(time.ours.minimum, 1), text(time.theirs.minimum, 1),
            text(time.ours.minimum / time.theirs.minimum, 3), text(time.ours.median / time.theirs.median, 3), mcl,
        ]
        print(pad(operation.name, 36) + columns.map { pad($0, 12) }.joined())
    }
} catch {
    print("arithmetic: an operation went wrong: \(error)")
    exit(1)
}

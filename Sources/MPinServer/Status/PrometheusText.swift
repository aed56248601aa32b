// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles

/// Numbers in Prometheus' text format, version 0.0.4.
struct PrometheusText {
    enum Kind: String { case counter, gauge, histogram }

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// A number without labels.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        sample(name, [:], value)
    }

    /// A number for each of the values of its labels.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [String: String], value: Int)])
    {
        begin(name, kind, help)
        for (labels, value) in samples { sample(name, labels, Double(value)) }
    }

    mutating func add(_ name: String, _ help: String, _ histogram: Histogram.Counts) {
        begin(name, .histogram, help)
        var count = 0
        for (bound, bucket) in zip(Histogram.bounds, histogram.buckets) {
            count += bucket
            sample("\(name)_bucket", ["le": "\(bound)"], Double(count))
        }
        sample("\(name)_bucket", ["le": "+Inf"], Double(histogram.count))
        sample("\(name)_sum", [:], histogram.seconds)
        sample("\(name)_count", [:], Double(histogram.count))
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// The labels are words of the program, which need no escaping.
    private mutating func sample(_ name: String, _ labels: [String: String], _ value: Double) {
        let list = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
        let number = Int64(exactly: value).map { String($0) } ?? String(value)
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(number)\n"
    }
}

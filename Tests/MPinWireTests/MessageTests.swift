// SPDX-License-Identifier: Apache-2.0
import MPinWire
import TestPeers
import Testing

/// Rules for every message.
struct MessageTests {
    @Test(arguments: Samples.all)
    func `a parsed message can be written and parsed again`(_ sample: Sample) throws {
        let once = try sample.echo(sample.body)
        let twice = try sample.echo(once)
        #expect(once == twice)
        #expect(once.allSatisfy { $0 >= 0x20 })
    }

    @Test(arguments: Samples.all)
    func `a required member that is missing is named`(_ sample: Sample) throws {
        for name in sample.required.keys {
            let error = #expect(throws: WireError.self, "\(name)") { try sample.echo(sample.body(without: name)) }
            guard case .missing(let field)? = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
            #expect("\(field.name)" == name)
        }
    }

    @Test(arguments: Samples.all)
    func `a required member of another type or form is refused`(_ sample: Sample) throws {
        for (name, values) in sample.required where name != "active" && name != "date" {
            for value in values + Wrong.anything {
                if name == "timePermits" && value == "{}" { continue }
                #expect(throws: WireError.self, "\(name): \(value)") {
                    try sample.echo(sample.body(replacing: name, by: value))
                }
            }
        }
    }

    @Test(arguments: Samples.all)
    func `a body that ends early is refused wherever it ends`(_ sample: Sample) throws {
        let body = sample.body
        let end = body.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for length in 1...end {
            #expect(throws: WireError.self, "\(length)") { try sample.echo(Array(body[..<length])) }
        }
    }

    @Test(arguments: Samples.all)
    func `text around the object is refused`(_ sample: Sample) throws {
        for extra in ["x", "{}", "\0", "]", ",", "\u{FEFF}"] {
            #expect(throws: WireError.malformed) { try sample.echo(sample.body + Array(extra.utf8)) }
            #expect(throws: WireError.malformed) { try sample.echo(Array(extra.utf8) + sample.body) }
        }
        #expect(throws: WireError.malformed) { try sample.echo(Array("[".utf8) + sample.body + Array("]".utf8)) }
        #expect(throws: WireError.malformed) { try sample.echo(Array("<html><body>Bad gateway</body></html>".utf8)) }
    }

    @Test(arguments: Samples.all)
    func `a name that comes twice is refused`(_ sample: Sample) throws {
        let first = try #require(sample.members.first)
        let body = Sample.body(sample.members + [first])
        #expect(throws: WireError.malformed) { try sample.echo(body) }
    }

    @Test(arguments: Samples.all)
    func `unknown members change nothing`(_ sample: Sample) throws {
        let body = Sample.body([("x-new", "{\"deep\":[[],{\"y\":null}]}")] + sample.members)
        #expect(try sample.echo(body) == sample.echo(sample.body))
    }

    @Test(arguments: Samples.all)
    func `a body of more than 64 KiB is refused`(_ sample: Sample) throws {
        let padding = [UInt8](repeating: 0x20, count: JSONLimits.size)
        #expect(throws: WireError.tooLarge) { try sample.echo(sample.body + padding) }
    }

    @Test(arguments: Samples.all)
    func `no damage to a body makes a reader stop the process`(_ sample: Sample) {
        var random = Noise(seed: 7)
        let start = ContinuousClock.now
        let body = sample.body
        var refused = 0, runs = 0
        // On a busy machine, the time alone can be over after one run.
        while runs < 100 || start.duration(to: .now) < .milliseconds(60) {
            runs += 1
            var spoilt = body
            for _ in 0...Int(random.next() % 3) { random.damage(&spoilt) }
            do { _ = try sample.echo(spoilt) } catch { refused += 1 }
        }
        #expect(refused > 0)
    }
}

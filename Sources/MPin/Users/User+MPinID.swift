internal import MPinWire

extension User {
    /// The bytes that stand for this registration in the mathematics.
    var mpinIDBytes: [UInt8]? {
        Hex.decode(Array(mpinID.utf8).span)
    }
}

internal import MPinWire

extension User {
    /// The bytes that stand for this registration in the mathematics.
    var mpinIDBytes: [UInt8]? { record.mpinID?.bytes }
}

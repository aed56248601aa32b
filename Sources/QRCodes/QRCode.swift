// SPDX-License-Identifier: Apache-2.0
internal import CQREncode

/// A text as a QR code.
package struct QRCode: Sendable {
    /// The light frame that readers need, in modules.
    package let quietZone = 4

    package let side: Int
    /// The modules row by row; true is dark.
    package let modules: [Bool]

    /// Returns nil if libqrencode is not installed or the text is too long.
    package init?(_ text: String) {
        let largest = Int(MPIN_QR_LARGEST)
        var bytes = [UInt8](repeating: 0, count: largest * largest)
        let side = Int(unsafe mpin_qr_encode(text, &bytes))
        guard side > 0 else { return nil }
        self.side = side
        modules = bytes.prefix(side * side).map { $0 != 0 }
    }

    /// A picture, always dark on light, because few readers accept the reverse.
    package var svg: String {
        let size = side + 2 * quietZone
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                guard modules[row * side + column] else {
                    column += 1
                    continue
                }
                let start = column
                while column < side, modules[row * side + column] { column += 1 }
                path += "M\(start + quietZone) \(row + quietZone)h\(column - start)v1h-\(column - start)z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)h-\(size)z"/><path d="\(path)"/></svg>

            """
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import MPin

/// The code of a cross-device session: an access number to type, or a scanned URL with the code in its fragment.
enum AccessCode {
    case number(String)
    case scanned(String)

    /// Parses digits with or without white space and hyphens between them, or the URL of a page with the code behind `#`, and
    /// nothing behind the code. The page of an old server may have an address without TLS.
    init?(_ text: String) {
        if let mark = text.firstIndex(of: "#") {
            let code = text[text.index(after: mark)...], page = text[..<mark]
            let address = page.hasPrefix("http://") ? "https://" + page.dropFirst("http://".count) : String(page)
            guard (1...64).contains(code.count), code.allSatisfy({ $0.isASCII && ($0.isHexDigit || $0 == "-") }),
                page.isEmpty || Backend(address) != nil
            else { return nil }
            self = .scanned(String(code))
            return
        }
        let digits = text.filter { !$0.isWhitespace && $0 != "-" }
        guard (1...16).contains(digits.count), digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        self = .number(digits)
    }

    /// Checks an access number's length and check digit, if the server's settings have rules for them.
    func check(_ client: borrowing MPinClient) throws(MPinError) {
        if case .number(let number) = self { try client.checkAccessNumber(number) }
    }

    var text: String {
        switch self {
        case .number(let number): number
        case .scanned(let code): code
        }
    }
}

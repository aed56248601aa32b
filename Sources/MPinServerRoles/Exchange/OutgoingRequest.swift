// SPDX-License-Identifier: Apache-2.0
internal import CCurl

/// A request of this server to another program. Redirects are not followed. It blocks its thread.
struct OutgoingRequest {
    private static let milliseconds = 10_000

    let url: String
    /// CA certificates that replace the host's; nil for the host's.
    let certificateFile: String?

    /// Sends the request, with a POST if it has a body and a GET otherwise.
    ///
    /// - Returns: the HTTP status, negative if there is no complete answer, and the length of the answer.
    func send(_ body: [UInt8]? = nil, into answer: inout MutableSpan<UInt8>) -> (status: Int, length: Int) {
        var length = 0
        let status = unsafe answer.withUnsafeMutableBufferPointer { answer in
            unsafe withCStrings([url, certificateFile]) { texts in
                unsafe (body ?? []).withUnsafeBufferPointer { bytes in
                    var request = unsafe mpin_hook_request(
                        url: texts[0], ca_file: texts[1], body: body == nil ? nil : bytes.baseAddress,
                        body_length: bytes.count,
                        answer: answer.baseAddress, answer_capacity: answer.count, milliseconds: Self.milliseconds)
                    return unsafe mpin_hook(&request, &length)
                }
            }
        }
        return (Int(status), length)
    }
}

/// Calls a function with C strings; nil stays nil.
func withCStrings<R>(_ texts: ArraySlice<String?>, _ body: ([UnsafePointer<CChar>?]) -> R) -> R {
    guard let text = texts.first else { return unsafe body([]) }
    return unsafe withCStrings(texts.dropFirst()) { rest in
        guard let text else { return unsafe body([nil] + rest) }
        return unsafe text.withCString { unsafe body([$0] + rest) }
    }
}

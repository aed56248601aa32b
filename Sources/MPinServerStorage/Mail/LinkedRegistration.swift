/// What the holder of a link is told about the registration before he confirms it.
struct LinkedRegistration: Sendable {
    let user: String
    let device: String
    let source: String?
    let created: Timestamp
}

/// The version of this server, by which an administrator knows which one a database needs.
package enum ServerVersion {
    package static let current = "0.1.0"
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The modules that Debian has for the same purpose, each in the cheapest state that exercises it.
enum Others {
    /// Of the PIN of `Site`, by yescrypt with Debian's parameters.
    private static let shadow = "$y$j9T$bench0salt0bench0salt0$T4mgDCgcSNZPdq9i2SVg6GMSS.PSXsiCJnUDtuvhix1"

    /// The modules in the order of the table.
    ///
    /// - Parameter left: gets what is not there, and which of them cannot succeed here.
    static func entrants(_ site: Site, left: inout [String]) throws -> [Contest.Entrant] {
        var entrants = [try entrant(site, "pam_permit", "pam_permit.so")]
        entrants.append(
            try entrant(
                site, "pam_unix", "pam_unix.so", typing: Site.pin + "\n", environment: ["BENCH_SHADOW": shadow]))
        // The secret and the first codes of RFC 4226, appendix D. Both files are written anew by each success.
        try add("pam_oath", "usersfile=\(site.path("oath")) window=5", typing: "755224\n") {
            try site.write("HOTP \(site.account) - 3132333435363738393031323334353637383930\n", to: "oath")
        }
        try add(
            "pam_google_authenticator", "secret=\(site.path("totp")) user=root no_increment_hotp", typing: "287082\n"
        ) {
            try site.write("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\n\" HOTP_COUNTER 1\n", to: "totp")
        }
        do {
            let environment = try KerberosRealm.start(site)
            try add("pam_krb5", "", typing: Site.pin + "\n", environment: environment)
        } catch {
            left.append("pam_krb5: \(error)")
        }
        // No key is plugged in, and no Duo service listens: what these do until then is their floor.
        try site.write("\(site.account):a,b,es256,+presence\n", to: "u2f")
        try add("pam_u2f", "authfile=\(site.path("u2f"))")
        left.append("a success of pam_u2f: only with a security key plugged in")
        try site.write(
            "[duo]\nikey = DIXXXXXXXXXXXXXXXXXX\nskey = \(String(repeating: "x", count: 40))\n"
                + "host = 127.0.0.1:1\nfailmode = secure\n", to: "duo.conf")
        try add("pam_duo", "conf=\(site.path("duo.conf"))")
        left.append("a success of pam_duo: only with Duo's service and a telephone")
        return entrants

        func add(
            _ name: String, _ options: String, typing: String = "", environment: [String: String] = [:],
            prepare: @escaping () throws -> Void = {}
        ) throws {
            guard let module = site.places.debianModule(name + ".so") else {
                return left.append("\(name): no such module here")
            }
            entrants.append(
                try entrant(site, name, "\(module) \(options)", typing: typing, environment: environment, prepare))
        }
    }

    private static func entrant(
        _ site: Site, _ name: String, _ module: String, typing: String = "", environment: [String: String] = [:],
        _ prepare: @escaping () throws -> Void = {}
    ) throws -> Contest.Entrant {
        try site.service(name, module)
        return Contest.Entrant(
            name: name, service: name, typing: typing, environment: environment, prepare: prepare)
    }
}

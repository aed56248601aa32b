// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A realm with a KDC on loopback and one principal, which has the account's name and the PIN of `Site` as password.
enum KerberosRealm {
    /// Makes the realm and starts its KDC.
    ///
    /// - Returns: what the programs of its clients need in their environment.
    static func start(_ site: Site) throws -> [String: String] {
        let port = Site.anyPort
        try site.write(
            """
            [libdefaults]
            default_realm = BENCH
            dns_lookup_kdc = false
            rdns = false
            [realms]
            BENCH = {
                kdc = 127.0.0.1:\(port)
            }

            """, to: "krb5.conf")
        try site.write(
            """
            [kdcdefaults]
            kdc_listen = 127.0.0.1:\(port)
            kdc_tcp_listen = 127.0.0.1:\(port)
            [realms]
            BENCH = {
                database_name = \(site.path("principal"))
                key_stash_file = \(site.path("stash"))
                acl_file = \(site.path("acl"))
            }
            [dbmodules]
            db_module_dir = \(try find("usr/lib/*/krb5/plugins/kdb", site))

            """, to: "kdc.conf")
        let client = ["KRB5_CONFIG": site.path("krb5.conf")]
        let libraries = try? find("usr/lib/*/libkdb5.so.10", site)
        let own = client.merging([
            "KRB5_KDC_PROFILE": site.path("kdc.conf"),
            "LD_LIBRARY_PATH": libraries.map { ($0 as NSString).deletingLastPathComponent } ?? "",
        ]) { $1 }
        try run("usr/sbin/kdb5_util", ["create", "-s", "-P", "master"], own, site)
        try run(
            "usr/sbin/kadmin.local", ["-q", "addprinc -pw \(Site.pin) +requires_preauth \(site.account)"], own, site)
        try site.startBeside(try find("usr/sbin/krb5kdc", site), ["-n"], environment: own, port: port)
        return client
    }

    private static func run(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ site: Site
    ) throws {
        let done = try site.places.run(try find(program, site), arguments, environment: environment)
        guard done.status == 0 else { throw Failure("\(program): \(done.errors)") }
    }

    /// A file of the KDC's packages, unpacked beside the bench's tools or installed.
    private static func find(_ pattern: String, _ site: Site) throws -> String {
        var found = glob_t()
        defer { globfree(&found) }
        for root in [site.places.tools + "/kdc/", "/"] where glob(root + pattern, 0, nil, &found) == 0 {
            if let path = found.gl_pathv[0] { return String(cString: path) }
        }
        throw Failure("there is no /\(pattern) here")
    }
}

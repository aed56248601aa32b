// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinServer
import MPinServerStorage

/// The certificate and the key that systemd copies for the installed server, as root sees them.
struct CertificateCheck {
    /// Why the files cannot be used; empty if they can, and if this process cannot read them.
    private(set) var faults: [ServerError] = []
    /// Days until the certificate expires; nil without one.
    private(set) var days: Int?
    /// For how long the certificate is valid.
    private(set) var sentence: String?

    /// Call it before the first use of the server's directory: root then becomes the owner of that directory.
    init(_ options: Options) {
        guard options.directory == ServerDirectory.installed, options.config == nil,
            let files = ServerDirectory.rootTLSFiles
        else { return }
        guard geteuid() == 0 else {
            sentence = "The certificate in \(files.certificate) was not checked. Only root can read its key."
            return
        }
        do throws(ServerError) {
            let seconds = try files.check()
            let days = Int(seconds / 86_400)
            self.days = days
            sentence = "The certificate in \(files.certificate) is valid for \(counted(days, "day"))."
        } catch { faults = [error] }
    }
}

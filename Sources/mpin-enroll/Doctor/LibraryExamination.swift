// SPDX-License-Identifier: Apache-2.0
import MPinCrypto

/// Checks libcrypto, without which no login and no enrollment works.
struct LibraryExamination {
    let findings: [Finding]

    init() {
        let isUsable = (try? Hash.sha256([])) != nil
        findings = isUsable ? [] : [LibraryExamination.fault]
    }

    private static var fault: Finding {
        guard CryptoError.isLibraryRestricted else {
            return Finding(
                "libraries", .fault, "libcrypto.so.3 cannot be loaded, so no PIN can be checked.",
                advice: Advice("Reinstall it: sudo apt install --reinstall libssl3"))
        }
        return Finding(
            "libraries", .fault,
            "No provider of OpenSSL meets the default properties in openssl.cnf, so no PIN can be checked.",
            advice: Advice(
                "Load a provider that meets them, or remove default_properties. See: openssl list -providers"))
    }
}

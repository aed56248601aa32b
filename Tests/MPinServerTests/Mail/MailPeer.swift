// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A mail server of Debian's (python3-aiosmtpd) that keeps what it gets, as a process that goes away with this.
final class MailPeer {
    struct NotReady: Error { let errors: String }

    struct Mail {
        let sender: String
        let recipients: [String]
        let text: String
        let isProtected: Bool
        let user: String

        /// The lines before the first empty one.
        var headers: [String] {
            text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
        }

        /// The digits to be typed.
        var digits: String {
            text.components(separatedBy: "\r\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .first { $0.range(of: #"^\d{3} \d{3}$"#, options: .regularExpression) != nil } ?? ""
        }

        /// The address to be opened.
        var link: String {
            text.components(separatedBy: "\r\n").first { $0.contains("/mpinActivate?t=") } ?? ""
        }

        var token: String { link.components(separatedBy: "?t=").last ?? "" }
    }

    /// Whether Debian's Python has what this takes.
    static let isAvailable: Bool = {
        let found = (try? Program.run(at: "/usr/bin/python3", ["-I", "-c", "import aiosmtpd.smtp"]).code) == 0
        if !found { print("note: python3-aiosmtpd is not there, and the tests of mails were left out") }
        return found
    }()

    let directory: String
    private(set) var port = 0
    private var process: Companion?

    /// - Parameters:
    ///   - certificate: the certificate and key with which STARTTLS and a login are demanded.
    ///   - starts: false for a server that is down yet.
    init(certificate: Certificate? = nil, starts: Bool = true) throws {
        directory = NSTemporaryDirectory() + "mpin-mail-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        // Below the ports that the system hands out by itself.
        port = Int.random(in: 10_000..<32_000)
        guard starts else { return }
        do {
            try start(certificate: certificate)
        } catch {
            // Another program had the port.
            port = Int.random(in: 10_000..<32_000)
            try start(certificate: certificate)
        }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    func start(certificate: Certificate? = nil) throws {
        let program = directory + "/server.py"
        try Data(Self.program.utf8).write(to: URL(fileURLWithPath: program))
        process = try Companion(
            ["/usr/bin/python3", "-I", program, directory, String(port)]
                + (certificate.map { [$0.file, $0.key] } ?? []))
    }

    func stop() { process?.stop() }

    /// The mails so far, oldest first.
    var mails: [Mail] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter {
            $0.hasSuffix(".json")
        }
        return names.sorted().compactMap { name in
            guard let data = FileManager.default.contents(atPath: directory + "/" + name),
                let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
            else { return nil }
            return Mail(
                sender: object["from"] as? String ?? "", recipients: object["to"] as? [String] ?? [],
                text: object["text"] as? String ?? "", isProtected: object["tls"] as? Bool ?? false,
                user: object["user"] as? String ?? "")
        }
    }

    /// The mail of that number, counted from one, as soon as it is there.
    func mail(_ number: Int = 1, seconds: Int = 120) throws -> Mail {
        for _ in 0..<seconds * 20 {
            let mails = mails
            if mails.count >= number { return mails[number - 1] }
            usleep(50_000)
        }
        throw NotReady(errors: "no mail")
    }

    /// Whether no further mail comes for a while.
    func staysAt(_ count: Int) -> Bool {
        usleep(700_000)
        return mails.count == count
    }

    private static let program = """
        import asyncio, json, os, socket, ssl, sys, time
        from aiosmtpd.smtp import SMTP, AuthResult

        directory, port = sys.argv[1], int(sys.argv[2])
        context = None
        if len(sys.argv) > 4:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[3], sys.argv[4])

        class Handler:
            async def handle_RCPT(self, server, session, envelope, address, options):
                if address.startswith('nobody@'):
                    return '550 no such mailbox'
                envelope.rcpt_tos.append(address)
                return '250 OK'

            async def handle_DATA(self, server, session, envelope):
                mail = {'from': envelope.mail_from, 'to': envelope.rcpt_tos,
                        'text': envelope.content.decode('utf-8', 'replace'), 'tls': session.ssl is not None,
                        'user': getattr(session, 'auth_data', None) or ''}
                name = os.path.join(directory, '%020d' % time.time_ns())
                with open(name, 'w') as file:
                    json.dump(mail, file)
                os.rename(name, name + '.json')
                return '250 OK'

        def authenticate(server, session, envelope, mechanism, data):
            right = data.login == b'mailer' and data.password == b'secret word'
            return AuthResult(success=right, auth_data=data.login.decode())

        def session():
            return SMTP(Handler(), tls_context=context, require_starttls=context is not None,
                        authenticator=authenticate if context else None, auth_required=context is not None,
                        loop=loop)

        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        loop.run_until_complete(loop.create_server(session, '127.0.0.1', port))
        print('ready', flush=True)
        loop.run_forever()
        """
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The server's page in a real browser, with a real device on the other side.
    @Suite(.enabled(if: WebDriver.isAvailable)) struct PageTests {
        @Test func `a device signs a browser in and out`() async throws {
            let machine = try BrowserMachine()
            let (browser, number) = try await machine.browser()
            #expect(try await browser.text("number").contains("\u{A0}"))
            #expect(try await browser.text("command") == "mpin-enroll approve \(number)")
            #expect(try await browser.text("status") == "Waiting for your device.")
            let layout = """
                const box = (id) => document.getElementById(id).getBoundingClientRect();
                return box('waiting-title').bottom <= box('status').top && box('status').bottom <= box('number').top
                """
            #expect(try await browser.run(layout) as? Bool == true, "heading, status, number")
            try await keep(browser, "waiting")

            let device = try machine.approveForAWhile(number)
            try await browser.wait(for: "document.getElementById('signed-in').offsetParent")
            #expect(try await browser.text("user") == "alice")
            #expect(try await !browser.text("device").isEmpty)
            #expect(try await browser.text("since").contains("20"))
            #expect(try await browser.text("signed-in").contains("M-Pin login"))
            #expect(try await browser.run("return document.activeElement.id") as? String == "signed-in-title")
            #expect(try await browser.isShown("waiting") == false)
            #expect(try await browser.run("return document.cookie") as? String == "", "scripts see no cookie")
            try await keep(browser, "signed-in")

            // The session is the browser's, not the page's.
            try await browser.open(machine.url)
            try await browser.wait(for: "document.getElementById('user').textContent === 'alice'")

            // The device ends it.
            try device.type("\n")
            device.end()
            #expect(device.status() == 0)
            let next = try await browser.number(otherThan: number)
            #expect(next != number)
            try await browser.wait(for: "document.getElementById('waiting').offsetParent")
            #expect(try await browser.text("status") == "You were signed out.")
            try await demandNoViolation(browser)
            await browser.close()
        }

        @Test func `a user without a mouse signs out`() async throws {
            let machine = try BrowserMachine()
            let (browser, number) = try await machine.browser()
            #expect(try machine.approve(number).status == 0)
            try await browser.wait(for: "document.getElementById('signed-in').offsetParent")
            try await browser.press(Key.tab)
            #expect(try await browser.run("return document.activeElement.id") as? String == "sign-out")
            try await browser.press(Key.enter)
            try await browser.wait(for: "document.getElementById('waiting').offsetParent")
            #expect(try await browser.text("status") == "You are signed out.")
            try await browser.wait(for: "document.activeElement.id === 'waiting-title'")
            try await browser.open(machine.url)
            _ = try await browser.number(otherThan: number)
            #expect(try await browser.isShown("signed-in") == false)
            try await demandNoViolation(browser)
            await browser.close()
        }

        @Test func `two browsers do not get each others login`() async throws {
            let machine = try BrowserMachine()
            try machine.enroll("bob<b>&amp;")
            let driver = try await WebDriver()
            let (first, second) = (try await Browser(driver), try await Browser(driver))
            for browser in [first, second] { try await browser.open(machine.url) }
            let numbers = (try await first.number(), try await second.number())
            #expect(numbers.0 != numbers.1)
            #expect(try machine.approve(numbers.0).status == 0)
            try await first.wait(for: "document.getElementById('user').textContent === 'alice'")
            #expect(try await second.isShown("waiting"))
            #expect(try machine.approve(numbers.1, identity: "bob<b>&amp;").status == 0)
            try await second.wait(for: "document.getElementById('signed-in').offsetParent")
            #expect(try await first.text("user") == "alice")
            for browser in [first, second] {
                try await demandNoViolation(browser)
                await browser.close()
            }
        }

        @Test func `a page says that its number was turned down, and shows another when it is asked to`() async throws {
            let machine = try BrowserMachine()
            let (browser, number) = try await machine.browser()
            let denied = try machine.deny(number)
            #expect(denied.status == 0, "\(denied.all)")
            try await browser.wait(for: "document.getElementById('status').innerText.includes('rejected')")
            #expect(try await !browser.isShown("waiting"))
            #expect(try await browser.text("stopped-title") == "Sign-in rejected")
            let color = "getComputedStyle(document.getElementById('stopped-title')).color"
            #expect(
                try await browser.run("return \(color) === getComputedStyle(document.body).color") as? Bool == false)
            try await keep(browser, "denied")
            _ = try await browser.run("document.getElementById('again').click()")
            let next = try await browser.number(otherThan: number)
            #expect(try machine.approve(next).status == 0)
            try await browser.wait(for: "document.getElementById('user').textContent === 'alice'")
            await browser.close()
        }

        @Test func `a number that lapsed is replaced`() async throws {
            let machine = try BrowserMachine("access_number_ttl = 4")
            let (browser, number) = try await machine.browser()
            let next = try await browser.number(otherThan: number)
            #expect(try await browser.text("status") == "There is a new number.")
            #expect(try machine.approve(number).status == 65)
            let present = try await browser.number(otherThan: next)
            #expect(try machine.approve(present).status == 0)
            try await browser.wait(for: "document.getElementById('user').textContent === 'alice'")
            await browser.close()
        }

        @Test func `the page says how far the device is`() async throws {
            let machine = try BrowserMachine()
            let (browser, number) = try await machine.browser()
            for (message, text) in [
                ("{status: 'wid', wid: '\(number)'}", "A device is looking at this request."),
                ("{status: 'user', wid: '\(number)', userId: '<i>eve</i>'}", "<i>eve</i> is about to sign in here."),
            ] {
                _ = try await browser.run(
                    "fetch('rps/codeStatus', {method: 'POST', body: JSON.stringify(\(message))})")
                try await browser.wait(for: "document.getElementById('status').textContent === '\(text)'")
            }
            machine.machine.kill()
            try await browser.wait(for: "document.getElementById('status').textContent.includes('cannot be reached')")
            try machine.machine.start()
            // The server has forgotten the number; the page takes another one by itself.
            _ = try await browser.number(otherThan: number)
            await browser.close()
        }

        @Test func `a number without a waiting session looks like any other`() async throws {
            let machine = try BrowserMachine()
            let (browser, number) = try await machine.browser(width: 1_000, height: 420)
            let opacity = "Number(getComputedStyle(document.querySelector('#waiting .columns')).opacity)"
            #expect(try await browser.run("return \(opacity)") as? Double == 1)
            machine.machine.kill()
            try await browser.wait(for: "document.getElementById('status').textContent.includes('cannot be reached')")
            try await browser.wait(for: "\(opacity) < 0.5")
            let isSeen = "document.getElementById('status').getBoundingClientRect()"
            let isAbove = "\(isSeen).bottom <= document.getElementById('number').getBoundingClientRect().top"
            #expect(try await browser.run("return \(isAbove) && \(isSeen).bottom < innerHeight") as? Bool == true)
            try machine.machine.start()
            _ = try await browser.number(otherThan: number)
            try await browser.wait(for: "\(opacity) === 1")
            await browser.close()
        }

        @Test func `a proxy without its server is not called busy`() async throws {
            let machine = try BrowserMachine()
            let (browser, _) = try await machine.browser()
            for (status, text) in [(502, "cannot be reached"), (503, "is busy"), (500, "reports an error (500)")] {
                _ = try await browser.run(
                    "window.fetch = () => Promise.resolve(new Response('<html>', { status: \(status) }))")
                try await browser.wait(for: "document.getElementById('status').textContent.includes('\(text)')")
            }
            await browser.close()
        }

        @Test func `the command stays on one line of a phone, and is copied by a button`() async throws {
            let machine = try BrowserMachine()
            let (browser, number) = try await machine.browser(width: 320, height: 640)
            #expect(
                try await browser.run("return document.getElementById('command').getClientRects().length") as? Int == 1)
            #expect(try await browser.run("return document.documentElement.scrollWidth <= 320") as? Bool == true)
            _ = try await browser.run(
                "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
            _ = try await browser.run("document.getElementById('copy').click()")
            try await browser.wait(for: "window.copied === 'mpin-enroll approve \(number)'")
            try await browser.wait(for: "document.getElementById('copy').textContent === 'Copied'")
            try await demandNoViolation(browser)
            await browser.close()
        }

        @Test func `the reason for the number stays visible`() async throws {
            let machine = try BrowserMachine()
            let (browser, number) = try await machine.browser()
            #expect(try machine.approve(number).status == 0)
            try await browser.wait(for: "document.getElementById('signed-in').offsetParent")
            #expect(try await browser.text("sign-out") == "Sign out")
            _ = try await browser.run("performance.clearResourceTimings(); document.getElementById('sign-out').click()")
            try await browser.wait(for: "document.getElementById('waiting').offsetParent")
            let polls = "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('rps/access')).length"
            try await browser.wait(for: "\(polls) >= 3")
            #expect(try await browser.text("status") == "You are signed out.")
            await browser.close()
        }

        @Test func `a second try stays where the number is`() async throws {
            let machine = try BrowserMachine("failures_per_source = 1", "failure_refill_seconds = 6")
            let (browser, _) = try await machine.browser()
            try await browser.open(machine.url)
            try await browser.wait(for: "document.getElementById('again').offsetParent")
            _ = try await browser.run("document.getElementById('again').focus()")
            for _ in 0..<150 where try await !browser.isShown("waiting") {
                #expect(try await browser.run("return document.activeElement.id") as? String == "again")
                try await browser.press(Key.enter)
                try await Task.sleep(for: .milliseconds(700))
            }
            try await browser.wait(for: "document.getElementById('waiting').offsetParent")
            #expect(try await browser.run("return document.activeElement.id") as? String == "waiting-title")
            await browser.close()
        }

        @Test func `a long name breaks between its parts`() async throws {
            let machine = try BrowserMachine()
            let name = "maximiliana.schwarzenberger@wissenschaft.example.org"
            try machine.enroll(name)
            let (browser, number) = try await machine.browser(width: 320, height: 640)
            #expect(try machine.approve(number, identity: name).status == 0)
            try await browser.wait(for: "document.getElementById('user').textContent === '\(name)'")
            let lines = """
                return [...document.getElementById('user').childNodes].filter((node) => node.nodeType === 3).map((node) => {
                    const range = document.createRange();
                    range.selectNodeContents(node);
                    return range.getClientRects().length;
                })
                """
            #expect(try await browser.run(lines) as? [Int] == [1, 1, 1, 1, 1])
            #expect(try await browser.run("return document.documentElement.scrollWidth <= 320") as? Bool == true)
            await browser.close()
        }

        @Test func `the code to scan is the number`() async throws {
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg") else {
                print("note: zbarimg is not there, and the page's QR code was not read")
                return
            }
            let machine = try BrowserMachine()
            let driver = try await WebDriver()
            for (width, isDark) in [(1_000, false), (1_000, true), (320, true)] {
                let browser = try await Browser(driver, width: width, height: 1_000, isDark: isDark)
                try await browser.open(machine.url)
                let number = try await browser.number()
                try await browser.wait(for: "document.getElementById('symbol').offsetParent")
                let middle = """
                    const box = (id) => document.getElementById(id).getBoundingClientRect();
                    const middle = (id) => box(id).left + box(id).width / 2;
                    return Math.abs(middle('symbol') - middle('scan')) < 1
                    """
                #expect(try await browser.run(middle) as? Bool == true, "the QR code is in the middle of its figure")
                let picture = machine.machine.directory + "/page.png"
                try await browser.screenshot().write(to: URL(fileURLWithPath: picture))
                let read = try Run("/usr/bin/zbarimg", ["--quiet", "--raw", picture])
                #expect(read.output == "\(machine.url)#\(number)\n", "\(width) \(isDark)")
                #expect(
                    try await browser.run("return document.documentElement.scrollWidth <= \(width)") as? Bool == true)
                try await keep(browser, "scan-\(width)-\(isDark ? "dark" : "light")")
                try await demandNoViolation(browser)
                if width == 320 {
                    // The scanned number can be approved.
                    #expect(try machine.approve(read.output.trimmingCharacters(in: .newlines)).status == 0)
                    try await browser.wait(for: "document.getElementById('user').textContent === 'alice'")
                }
                await browser.close()
            }
        }

        /// The browser has seen nothing that the page's policy forbids, and no script failed.
        private func demandNoViolation(_ browser: Browser) async throws {
            let complaints = try await browser.complaints().filter {
                // The page asks for the signed-in user, although there is none.
                !$0.contains("/session - Failed to load resource: the server responded with a status of 401")
            }
            #expect(complaints.isEmpty)
        }

        /// Keeps a picture where `MPIN_SCREENSHOTS` names a directory.
        private func keep(_ browser: Browser, _ name: String) async throws {
            guard let directory = ProcessInfo.processInfo.environment["MPIN_SCREENSHOTS"] else { return }
            try await browser.screenshot().write(to: URL(fileURLWithPath: "\(directory)/\(name).png"))
        }
    }
}

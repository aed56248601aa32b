// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Devices that are chosen by their names, which other devices have chosen.
    @Suite struct DeviceNameTests {
        @Test func `a device is revoked by its name, if one device has it`() throws {
            let machine = try Machine.enrolled()
            func add(_ name: String) throws {
                let code = try #require(try machine.enroll("invite", "--json", pin: "4962").json()["code"] as? String)
                try #require(try machine.second(code, name, pin: "7351").status == 0)
            }
            func revoke(_ name: String, _ options: String...) throws -> Run {
                try machine.enroll("devices", options: ["revoke", name, "--yes"] + options, pin: "4962")
            }
            try add("lost phone")
            try add("tablet")
            let two = try revoke("lost phone")
            #expect(two.status == 0 && two.output.contains("Device 2 (lost phone) is revoked"), "\(two.all)")
            // A number is a number first.
            try add("3")
            #expect(try revoke("3").output.contains("Device 3 (tablet) is revoked"))
            try add("lost phone")
            #expect(try revoke("lost phone").output.contains("Device 5 (lost phone) is revoked"))
            try add("twin")
            try add("twin")
            let twin = try revoke("twin")
            #expect(
                twin.status == 65
                    && twin.errors.contains("2 devices have the name twin.\nDevice 6 (twin): REGISTERED, "),
                "\(twin.all)")
            #expect(twin.errors.contains("\nDevice 7 (twin): ") && twin.errors.contains("devices revoke NUMBER"))
            #expect(!twin.errors.contains("Device 1"), "\(twin.all)")
            #expect(try revoke("twin", "--json").errorCode == "AMBIGUOUS_DEVICE")
            let none = try revoke("Tablet")
            #expect(none.status == 65 && none.errors.contains("alice has no device Tablet.\nDevice 1"), "\(none.all)")
            #expect(try machine.ownDevices()[6] == "REGISTERED")
            // What an earlier server has stored can look the same without being the same.
            for name in ["twin ", "tw\u{200B}in", "twin\u{E000}", "twin\u{3164}", " \u{2800}twin"] {
                try machine.rename(device: 7, name)
                let alike = try revoke("twin")
                #expect(alike.status == 65 && alike.errors.contains("2 devices have the name twin."), "\(alike.all)")
                #expect(try revoke(name, "--json").errorCode == "AMBIGUOUS_DEVICE")
            }
            #expect(try machine.ownDevices().values.filter { $0 == "REGISTERED" }.count == 4)
        }

        @Test func `a device without a name is revoked by its number only`() throws {
            let machine = try Machine.enrolled()
            try machine.rename(device: 1, "")
            for name in ["", " ", "\u{3164}"] {
                let run = try machine.enroll(
                    "devices", options: ["revoke", name, "--yes", "--yes"], pin: "4962")
                #expect(
                    run.status == 64 && run.errors.contains("Give the number or the name of a device."), "\(run.all)")
            }
            #expect(try machine.ownDevices() == [1: "REGISTERED"])
            #expect(
                try machine.enroll("devices", options: ["revoke", "1", "--yes", "--yes"], pin: "4962").status == 0)
        }
    }
}

import Testing

extension EndToEnd {
    /// Strangers who have filled their half of the wrong PINs that a registration may have in some weeks.
    @Suite struct ManyWrongTests {
        @Test(.enabled(if: PrivateSystem.isPossible), arguments: Products.modules)
        func `the owner types the PIN twice, and is told why`(module: String) throws {
            let system = try PrivateSystem(stack: "auth required MODULE", module: module)
            try system.machine.write("max_recent_wrong_attempts = 4\n", to: "/server/server.conf")
            try system.machine.restart()
            for _ in 1...2 {
                let su = try system.su()
                #expect(su.shows("PIN for mpintest on"))
                su.type("4963")
                #expect(su.end() ?? 0 != 0)
            }
            for sentence in ["Last try before the enrolment is blocked.", "Many PINs were wrong lately."] {
                let own = try system.sudo()
                #expect(own.shows("PIN for mpintest on"), "\(own.screen)")
                own.type("4962")
                #expect(own.shows(sentence + " The same PIN again: "), "\(own.screen)")
                own.type("4962")
                #expect(own.end() == 0 && own.screen.contains("GOT IN"), "\(own.screen)")
            }
            let own = try system.sudo()
            #expect(own.shows("PIN for mpintest on"), "\(own.screen)")
            own.type("4962")
            #expect(own.shows("Many PINs were wrong lately. The same PIN again: "), "\(own.screen)")
            own.type("4963")
            #expect(own.shows("The two PINs differ. None was checked, and no try is used up."), "\(own.screen)")
            own.signalAll(9)
            #expect(try system.machine.counted() == 0)
        }
    }
}

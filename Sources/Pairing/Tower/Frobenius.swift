// SPDX-License-Identifier: Apache-2.0

/// The constants of the p-power map: f^k for w^p = f w, f = xi^((p-1)/6), in Montgomery form.
enum Frobenius {
    static var power1: Fp2 {
        Fp2(
            number(0xA903_E51F_4054_B5EF, 0x6305_4AD5_B8FD_D5ED, 0x1102_1A91_766D_D4A5, 0x2083_80B9_98B0_9B1D),
            number(0x1562_3ED0_1BC6_9FC4, 0xC13A_8C18_5F0B_68F4, 0x9FBB_C4D3_03F5_922D, 0x037C_7F46_6FBF_8EF0))
    }
    /// Imaginary.
    static var power2: Fp2 {
        Fp2(.zero, number(0x54B0_6F4E_8C60_8BAB, 0x6470_A2DA_720B_AC3B, 0x8C17_84B6_84D1_35EF, 0x19C7_5D89_CEA7_0A7F))
    }
    static var power3: Fp2 {
        let part = number(0xD656_27A5_A0C0_6D95, 0x3C53_A1DD_2792_7258, 0x053C_503B_6982_AFE6, 0x20D3_9D57_46F8_56F1)
        return Fp2(part, part)
    }
    /// Real.
    static var power4: Fp2 {
        Fp2(number(0x1FE5_73C3_07A1_33C6, 0x66B1_C257_C9CA_F40F, 0xB6E6_68F7_2C19_6629, 0x1DC7_5D89_9395_E41F), .zero)
    }
    static var power5: Fp2 {
        Fp2(
            number(0xC0F3_E8D5_84F9_CDD1, 0x7B19_15C4_C887_0964, 0x6580_8B68_658D_1DB8, 0x1D57_1E10_D738_C800),
            number(0xFD72_3B19_D721_87E2, 0xA926_C129_4F82_357C, 0x4B3D_53FC_14D6_491A, 0x06A8_E1EF_3137_620D))
    }

    private static func number(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64) -> Fp {
        Fp(montgomery: Limbs(l0, l1, l2, l3))
    }
}

extension Fp12 {
    /// a^p: the coefficient of w^k goes to its conjugate times f^k.
    package var frobenius: Fp12 {
        Fp12(
            Fp6(c0.c0.conjugate, c0.c1.conjugate * Frobenius.power2, c0.c2.conjugate * Frobenius.power4),
            Fp6(
                c1.c0.conjugate * Frobenius.power1, c1.c1.conjugate * Frobenius.power3,
                c1.c2.conjugate * Frobenius.power5))
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
package import MPinServerStorage

extension KeyPlace: ExpressibleByArgument {}

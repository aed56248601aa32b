import ArgumentParser
package import MPinServerStorage

extension KeyPlace: ExpressibleByArgument {}

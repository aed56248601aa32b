public import ArgumentParser
public import MPinServer

extension KeyPlace: ExpressibleByArgument {}

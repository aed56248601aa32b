internal import MPinWire

// What is wrong, as programs and tests read it.
extension ConfigurationFault {
    /// Where a setting stands.
    package enum Location: Sendable {
        /// The file as a whole.
        case file(String)
        /// A line of the file, counted from 1.
        case line(Int, file: String)
        /// An argument, counted from 1.
        case argument(Int)
        /// Settings that do not go together.
        case together
    }

    package var location: Location {
        switch (storage.file, storage.number) {
        case (let file?, 0): .file(file.string)
        case (let file?, let line): .line(line, file: file.string)
        case (nil, 0): .together
        case (nil, let number): .argument(number)
        }
    }

    /// What is wrong, a part of a sentence.
    package var reason: String { storage.reason.string }

    /// One line for the log and for people.
    package var message: String { text.string }
}

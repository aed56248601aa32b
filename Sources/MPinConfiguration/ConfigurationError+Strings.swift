// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

// The details of a fault, for programs and tests.
extension ConfigurationError {
    /// The location of a setting.
    package enum Location: Sendable {
        /// The file as a whole.
        case file(String)
        /// A line of the file, counted from 1.
        case line(Int, file: String)
        /// An argument, counted from 1.
        case argument(Int)
        /// Settings that contradict each other.
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

    /// The beginning of the message, before the problem: where it is, and the name of the option, if there is one.
    package var place: String { placeText.string }

    /// The problem, as a part of a sentence; without the name of the option, if there is one.
    package var reason: String { storage.reason.string }

    /// One line for the log and for users.
    package var message: String { text.string }
}

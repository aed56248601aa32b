// SPDX-License-Identifier: Apache-2.0
#if hasFeature(Embedded)
// The module has only files, and no existentials.

typealias AccountStore = FileStore

typealias StoreLock = Descriptor

extension FileStore {
    var ofAccount: AccountStore { self }
}
#endif

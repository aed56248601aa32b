// SPDX-License-Identifier: Apache-2.0
#if MPIN_THREAD_SANITIZER
internal import MPinServerStorage

// The lock that the thread sanitizer knows.
typealias Mutex = MPinServerStorage.Mutex
#endif

// SPDX-License-Identifier: Apache-2.0
#if MPIN_THREAD_SANITIZER
import MPinServerStorage

// The one that the thread sanitizer understands.
typealias Mutex = MPinServerStorage.Mutex
#endif

#if MPIN_THREAD_SANITIZER
internal import MPinServerStorage

// The one that the thread sanitizer understands.
typealias Mutex = MPinServerStorage.Mutex
#endif

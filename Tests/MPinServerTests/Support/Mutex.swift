#if MPIN_THREAD_SANITIZER
import MPinServer

// The one that the thread sanitizer understands.
typealias Mutex = MPinServer.Mutex
#endif

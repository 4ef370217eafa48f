#pragma once

// A new thread is in the network namespace of the thread that starts it. Any thread that makes a
// task ready may cause libdispatch to start a thread for Swift's tasks. If it has entered another
// namespace, the new thread is there too, and unrelated tasks would sometimes run there.

/// Makes the threads of Swift's tasks start in the calling thread's present network namespace,
/// whichever thread makes a task ready. Call it before a thread enters another namespace. Further
/// calls do nothing. Returns 0, or the errno of the thread that could not be started.
int ctaskthreads_stay(void);

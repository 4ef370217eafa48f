#pragma once

// A thread that is started is in the network namespace of the thread that starts it. libdispatch starts the threads that run
// Swift's tasks on whichever thread makes a task ready: one that has entered another namespace would take such a thread along, and
// from then on tasks that have nothing to do with it would run there now and then.

/// Has the threads of Swift's tasks started in the network namespace that the calling thread is in now, whichever thread makes a task ready.
/// To be called before a thread enters another namespace; once is enough, and again does nothing.
/// Returns 0, or the errno of the thread that could not be started.
int ctaskthreads_stay(void);

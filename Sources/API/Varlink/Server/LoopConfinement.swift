import NIOCore

// Code that serves connections is confined to one event loop: it is called and continues there.

extension EventLoop {
  /// This loop, for code that runs on it.
  package var here: NIOIsolatedEventLoop {
    // Impossible: channel handlers and their private objects are called on their channel's loop.
    assumeIsolated()
  }
}

extension EventLoopFuture {
  /// This future, for code on its loop.
  package var here: Isolated {
    // Impossible: channel handlers and their private objects are called on their channel's loop.
    assumeIsolated()
  }
}

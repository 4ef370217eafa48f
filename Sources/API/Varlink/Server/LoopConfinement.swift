import NIOCore

// What serves connections is confined to one event loop: it is called there, and goes on there.

extension EventLoop {
  /// This loop, to those who are on it.
  var here: NIOIsolatedEventLoop {
    // Impossible: channel handlers, and what they alone hold, are called on their channel's loop.
    assumeIsolated()
  }
}

extension EventLoopFuture {
  /// This future, to those who are on its loop.
  var here: Isolated {
    // Impossible: channel handlers, and what they alone hold, are called on their channel's loop.
    assumeIsolated()
  }
}

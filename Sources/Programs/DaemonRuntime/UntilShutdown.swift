import ServiceLifecycle

/// Work that continues until shutdown, and is then cancelled and awaited.
public struct UntilShutdown: Service {
  private let work: @Sendable () async throws -> Void

  public init(_ work: @escaping @Sendable () async throws -> Void) { self.work = work }

  public func run() async throws { try await cancelWhenGracefulShutdown { try await work() } }
}

import BearerStreams
import FlowService
import ModemAPI
import ModemService
import OutsideNumber
import RedirectChain
import Varlink

/// The methods of org.modemd.Bearer for programs that want to connect by themselves.
struct SocketHarness: Sendable {
  /// The access table's name for sockets of datagrams, which a program can send past the bearer on
  /// purpose (IP_PKTINFO; `connect` to AF_UNSPEC, which unbinds them).
  static let datagramRight = "\(BearerInterface.OpenSocket.name).datagram"

  let streams: BearerStreams
  let access: AccessPolicy

  func add(to router: inout VarlinkRouter) {
    router.handle(BearerInterface.Resolve.self, resolve)
    router.handOver(BearerInterface.OpenSocket.self, openSocket)
    router.upgrade(BearerInterface.OpenStream.self, openStream)
  }

  @Sendable func resolve(
    _ parameters: BearerInterface.Resolve.Parameters, _ context: CallContext
  ) async throws -> BearerInterface.Resolve.Reply {
    let request = ResolveRequest(
      modem: parameters.modem, name: parameters.name, family: parameters.family.map { ChainHop.Family($0) },
      limit: try Self.limit(parameters.timeoutMilliseconds, usual: .seconds(10)))
    let resolved = try await onWire {
      try await streams.resolve(request, for: Caller(context.peer), processID: context.peer.processID)
    }
    return .init(
      modem: resolved.modem, interface: resolved.interface, name: resolved.host.name,
      addresses: resolved.host.addresses.map {
        .init(address: $0.address.description, translated: $0.isTranslated, refused: $0.refusal)
      },
      servers: resolved.host.servers?.map(\.description), translationPrefix: resolved.host.translationPrefix,
      milliseconds: resolved.time.millisecondsRoundedUp)
  }

  @Sendable func openSocket(
    _ parameters: BearerInterface.OpenSocket.Parameters, _ context: CallContext
  ) async throws -> HandedOver<BearerInterface.OpenSocket.Reply> {
    let isDatagram = parameters.kind == .datagram
    guard !isDatagram || access.allows(context.peer, Self.datagramRight) else { throw VarlinkError.permissionDenied }
    var destination: SocketRequest.Destination?
    switch (parameters.host, parameters.port) {
    case (let host?, let port?): destination = .init(host: host, port: try Self.port(port))
    case (nil, nil): break
    case (nil, _): throw VarlinkError.invalidParameter("host")
    case (_, nil): throw VarlinkError.invalidParameter("port")
    }
    let request = SocketRequest(
      modem: parameters.modem, to: destination, isDatagram: isDatagram,
      family: parameters.family.map { ChainHop.Family($0) },
      limit: try Self.limit(parameters.timeoutMilliseconds, usual: .seconds(30)))
    return try await onWire {
      let socket = try await streams.openSocket(
        request, for: Caller(context.peer), processID: context.peer.processID)
      let copy: CInt
      do {
        copy = try socket.descriptor.duplicate()
      } catch {
        socket.handedOver(false)
        throw StreamError.notConnected(.failed, text: "modemd has no descriptor left for it; try again")
      }
      let reply = BearerInterface.OpenSocket.Reply(
        socketFileDescriptor: 0, id: socket.id, modem: socket.modem, interface: socket.interface,
        source: socket.descriptor.source.description, address: socket.descriptor.address?.description)
      return HandedOver(reply, OwnedDescriptor(copy), onSent: socket.report)
    }
  }

  @Sendable func openStream(
    _ parameters: BearerInterface.OpenStream.Parameters, _ context: CallContext
  ) async throws -> Upgrade<BearerInterface.OpenStream.Reply> {
    let request = StreamRequest(
      modem: parameters.modem, host: parameters.host, port: try Self.port(parameters.port), purpose: .streams,
      limit: try Self.limit(parameters.timeoutMilliseconds, usual: .seconds(30)))
    return try await onWire {
      let stream = try await streams.open(request, for: Caller(context.peer), processID: context.peer.processID)
      let reply = BearerInterface.OpenStream.Reply(
        id: stream.id, modem: stream.modem, interface: stream.interface, source: stream.source.description,
        address: stream.address.description)
      return Upgrade(reply) { channel, early in
        ChannelSplice.start(channel, early: early, with: stream)
      } abandon: {
        stream.abandon()
      }
    }
  }

  private static func port(_ port: Int) throws -> Int {
    guard (1...65_535).contains(port) else { throw VarlinkError.invalidParameter("port") }
    return port
  }

  private static func limit(_ milliseconds: Int?, usual: Duration) throws -> Duration {
    guard let milliseconds else { return usual }
    guard (1...120_000).contains(milliseconds) else { throw VarlinkError.invalidParameter("timeoutMilliseconds") }
    return .milliseconds(milliseconds)
  }
}

extension ChainHop.Family {
  fileprivate init(_ family: BearerInterface.Resolve.Parameters.Family) { self = family == .ipv4 ? .ipv4 : .ipv6 }
}

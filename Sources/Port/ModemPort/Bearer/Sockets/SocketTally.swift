import ModemModel

/// Compares successive lists of sockets: which are open, and which ended, once each.
///
/// The kernel's note of an end has the last numbers. It may come before the list that lacks the
/// socket, or a moment after it; the end is held back for it until the next list.
struct SocketTally {
  /// How many sockets each list of a report has at most, and how many ends are remembered.
  let limit: Int
  private var open: [UInt64: BearerSockets.Socket] = [:]
  /// Vanished from the list, and not noted yet.
  private var vanished: [UInt64: BearerSockets.Socket] = [:]
  /// Noted, and not reported yet.
  private var noted: [UInt64: BearerSockets.Socket] = [:]
  private var notedBeyond = 0
  /// Reported without a note, which may still come. The oldest first.
  private var reported: [UInt64] = []

  init(limit: Int) { self.limit = limit }

  /// The kernel noted the end of a socket.
  mutating func note(_ socket: BearerSockets.Socket) {
    guard !reported.contains(socket.cookie) else {
      reported.removeAll { $0 == socket.cookie }
      return
    }
    guard noted.count < limit || noted[socket.cookie] != nil else {
      notedBeyond += 1
      return
    }
    noted[socket.cookie] = socket
  }

  /// The next report.
  ///
  /// - Parameter list: what is open now.
  mutating func report(_ list: BearerSocketList) -> BearerSockets {
    let present = Dictionary(list.sockets.map { ($0.cookie, $0) }, uniquingKeysWith: { $1 })
    var ended: [BearerSockets.Socket] = []
    // A socket that was destroyed may be connected again.
    if !reported.isEmpty { reported.removeAll { present[$0] != nil } }
    for (cookie, socket) in noted { ended.append(socket.completed(from: open[cookie] ?? vanished[cookie])) }
    for (cookie, socket) in vanished where noted[cookie] == nil && present[cookie] == nil {
      ended.append(socket)
      reported.append(cookie)
    }
    vanished = open.filter { present[$0.key] == nil && noted[$0.key] == nil }
    // Nothing notes the end of a datagram socket.
    for (cookie, socket) in vanished where socket.isDatagram {
      ended.append(socket)
      vanished[cookie] = nil
    }
    open = present.filter { noted[$0.key] == nil }
    noted = [:]
    if reported.count > limit { reported.removeFirst(reported.count - limit) }
    defer { notedBeyond = 0 }
    let listed = list.sockets.filter { open[$0.cookie] != nil }
    return BearerSockets(
      open: listed, ended: Array(ended.sorted { $0.cookie < $1.cookie }.prefix(limit)),
      unlisted: list.unlisted + notedBeyond + max(0, ended.count - limit))
  }
}

extension BearerSockets.Socket {
  /// A note of an end may lack the addresses, which the kernel had taken off the socket by then.
  fileprivate func completed(from earlier: Self?) -> Self {
    var socket = self
    socket.ends = earlier?.ends ?? ends
    socket.sent = [sent, earlier?.sent].compactMap { $0 }.max()
    socket.received = [received, earlier?.received].compactMap { $0 }.max()
    return socket
  }
}

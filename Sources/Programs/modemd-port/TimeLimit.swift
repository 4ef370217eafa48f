import ArgumentParser
import ControlChannel

/// A time limit of one kind of command, as in `connect=60`.
struct TimeLimit: ExpressibleByArgument, Hashable, Sendable {
  enum Name: String, CaseIterable, Sendable { case open, query, pin, attach, connect, addresses, disconnect, close }

  static let help: ArgumentHelp = """
    How long a kind of command may take, as in query=20: open, query, pin, attach, connect, addresses, disconnect or close, and \
    seconds (0.1 to 600). May be given several times.
    """

  let name: Name
  let duration: Duration

  init?(argument: String) {
    let halves = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard halves.count == 2, let name = Name(rawValue: String(halves[0])), let seconds = Double(String(halves[1])),
      (0.1...600).contains(seconds)
    else { return nil }
    self.name = name
    duration = .milliseconds(Int((seconds * 1000).rounded()))
  }
}

extension CommandLimits {
  init(_ limits: [TimeLimit]) {
    self.init()
    for limit in limits {
      switch limit.name {
      case .open: open = limit.duration
      case .query: query = limit.duration
      case .pin: pin = limit.duration
      case .attach: attach = limit.duration
      case .connect: connect = limit.duration
      case .addresses: addresses = limit.duration
      case .disconnect: disconnect = limit.duration
      case .close: close = limit.duration
      }
    }
  }
}

import FleetAPI
import ModemModel
import ModemctlCore
import OutsideNumber

/// How modemd-fleet is doing, for people.
enum FleetText {
  typealias Reply = FleetInterface.Status.Reply

  static func details(_ reply: Reply, now: Timestamp) -> Details {
    Details(groups: [
      Details.Group("Fleet", cells: connection(reply, now)), Details.Group("Messages", messages(reply)),
      Details.Group("Refused commands", refusals(reply)),
    ])
  }

  private static func connection(_ reply: Reply, _ now: Timestamp) -> [(String, Cell?)] {
    let connection = reply.connection
    let (word, colour): (String, Paint.Colour) =
      switch connection.state {
      case .connected: ("connected", .good)
      case .connecting: ("connecting", .attention)
      case .waiting: ("not connected", .bad)
      case .paused: ("paused", .attention)
      case .other(let word): (ForeignText.visible(word), .plain)
      }
    let host = ForeignText.visible(connection.host)
    return [
      ("Machine", Cell(ForeignText.visible(reply.machine))),
      ("Broker", Cell("\(host.contains(":") ? "[\(host)]" : host):\(connection.port)")),
      ("State", Cell("\(word) since \(ForeignText.visible(connection.since))", colour)),
      (
        "Next attempt",
        connection.nextAttempt.flatMap { OutsideSeconds($0) }.map { Cell("in \($0.duration.words)") }
      ),
      ("Last error", connection.lastError.map { Cell(ForeignText.visible($0), .attention) }),
      ("Connections", Cell("\(connection.connects) since modemd-fleet started")),
      ("Certificate", connection.certificateExpires.map { Cell("valid until \(ForeignText.visible($0))") }),
    ]
  }

  private static func messages(_ reply: Reply) -> [(String, String?)] {
    let (queue, traffic, commands) = (reply.queue, reply.traffic, reply.commands)
    return [
      ("Waiting", "\(queue.messages) (\(queue.bytes) bytes)"),
      ("Dropped", "\(queue.dropped)"),
      ("Bytes today", "\(traffic.dayBytes)"),
      ("Sent", "\(traffic.sentBytes) bytes since modemd-fleet started"),
      ("Received", "\(traffic.receivedBytes) bytes since modemd-fleet started"),
      ("Commands", "\(commands.accepted) taken, \(commands.repeated) repeated, \(commands.refused) refused"),
    ]
  }

  private static func refusals(_ reply: Reply) -> [(String, String?)] {
    reply.refusals.map { refusal in
      (
        ForeignText.visible(refusal.time),
        "\(ForeignText.visible(refusal.requester)) asked for \(ForeignText.visible(refusal.command)): "
          + ForeignText.visible(refusal.message)
      )
    }
  }
}

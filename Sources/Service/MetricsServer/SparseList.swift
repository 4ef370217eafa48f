import MetricsAPI
import Varlink

/// io.systemd.Metrics.List with replies that leave out what is null. systemd-report (262) skips
/// every figure whose `object` is there and null.
enum SparseList: VarlinkMethod {
  typealias Parameters = MetricsInterface.List.Parameters

  static let name = MetricsInterface.List.name

  struct Reply: Codable, Sendable {
    let figure: MetricsInterface.List.Reply

    init(_ figure: MetricsInterface.List.Reply) { self.figure = figure }

    init(from decoder: any Decoder) throws { figure = try MetricsInterface.List.Reply(from: decoder) }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Member.self)
      try members.encode(figure.name, forKey: Member("name"))
      try members.encode(figure.value, forKey: Member("value"))
      if let object = figure.object { try members.encode(object, forKey: Member("object")) }
      guard let fields = figure.fields else { return }
      // In one order, by which systemd-report sorts.
      var nested = members.nestedContainer(keyedBy: Member.self, forKey: Member("fields"))
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) { try nested.encode(value, forKey: Member(name)) }
    }
  }

  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}

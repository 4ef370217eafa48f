import JSONTree
import MetricsAPI

/// The figures that the fleet was told, for telling only what changes.
struct MetricReport: Sendable {
  /// Series: text of the figure without its value, with its value's hash.
  private var told: [String: Int] = [:]
  private var isFull = true
  /// Figures that are told at most, as systemd-report's reader does it.
  static let most = 4096

  /// The next report has all figures.
  mutating func forget() { isFull = true }

  /// - Returns: figures that have changed, those that are gone with null, and whether these are
  ///   all.
  mutating func next(
    _ figures: [MetricsInterface.List.Reply], _ discretion: Discretion
  ) -> (figures: [JSONValue], isFull: Bool) {
    var now: [String: Int] = [:]
    var report: [JSONValue] = []
    for figure in figures.prefix(Self.most) {
      guard case .object(var members) = Self.json(figure, discretion) else { continue }
      let value = members.removeValue(forKey: "value") ?? .null
      let (series, hash) = (JSONValue.object(members).text, value.hashValue)
      now[series] = hash
      guard isFull || told[series] != hash else { continue }
      members["value"] = value
      report.append(.object(members))
    }
    if !isFull {
      for series in told.keys.sorted() where now[series] == nil {
        guard case .object(var members)? = JSONValue(parsing: series.utf8) else { continue }
        members["value"] = .null
        report.append(.object(members))
      }
    }
    defer { isFull = false }
    told = now
    return (report, isFull)
  }

  /// A figure with the fleet's names of modems.
  static func json(_ figure: MetricsInterface.List.Reply, _ discretion: Discretion) -> JSONValue {
    // Numbers of figures are no telephone numbers, and their names are modemd's own words.
    let fields = figure.fields.map { fields in
      JSONValue.object(fields.mapValues { .string(discretion($0)) })
    }
    return .object(
      JSONValue.fields([
        "name": .string(figure.name), "object": figure.object.map { discretion($0) }.json, "fields": fields,
        "value": figure.value,
      ]))
  }

  /// Lists of figures that fit into a message each.
  static func parts(_ figures: [JSONValue], bytes most: Int) -> [[JSONValue]] {
    var parts: [[JSONValue]] = []
    var room = 0
    for figure in figures {
      let size = figure.text.utf8.count + 1
      if size > room || parts.isEmpty {
        parts.append([])
        room = most
      }
      parts[parts.count - 1].append(figure)
      room -= size
    }
    return parts
  }
}

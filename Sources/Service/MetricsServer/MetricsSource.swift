import JSONTree
import MetricSeries
import MetricsAPI
import Varlink

/// A service's figures, and who may read them.
package struct MetricsSource: Sendable {
  let information: ServiceInformation
  /// What precedes each name over Varlink, as in `org.modemd`: the file name of the socket's link
  /// in /run/systemd/report.
  let domain: String
  /// What each name in text begins with, as in `modemd`.
  let prefix: String
  let families: [MetricFamily]
  let samples: @Sendable () -> [MetricSample]
  let isAllowed: @Sendable (Peer) -> Bool

  /// - Parameters:
  ///   - samples: the present values, those of one family one after the other. It must not block.
  ///   - isAllowed: whether a user may read them, as the kernel names the user.
  package init(
    _ information: ServiceInformation, domain: String, prefix: String, families: [MetricFamily],
    samples: @escaping @Sendable () -> [MetricSample], isAllowed: @escaping @Sendable (Peer) -> Bool
  ) {
    self.information = information
    self.domain = domain
    self.prefix = prefix
    self.families = families
    self.samples = samples
    self.isAllowed = isAllowed
  }

  /// io.systemd.Metrics.
  var router: VarlinkRouter {
    var router = VarlinkRouter(information) { [isAllowed] peer, _ in isAllowed(peer) }
    router.add(MetricsInterface.self)
    router.stream(SparseList.self) { [self] _, context, replies in
      guard context.more else { throw VarlinkError.expectedMore }
      return try Self.send(samples().flatMap(listed).map(SparseList.Reply.init), to: replies)
    }
    router.stream(MetricsInterface.Describe.self) { [self] _, context, replies in
      guard context.more else { throw VarlinkError.expectedMore }
      return try Self.send(families.flatMap(described), to: replies)
    }
    router.usualCallBytes = VarlinkRouter.smallCallBytes
    return router
  }

  /// - Returns: the last one.
  private static func send<Reply>(_ all: [Reply], to replies: ReplySink<Reply>) throws -> Reply {
    guard let last = all.last else { throw VarlinkError(MetricsInterface.NoSuchMetric()) }
    for reply in all.dropLast() { replies.send(reply) }
    return last
  }

  private func name(_ family: MetricFamily, _ part: String = "") -> String {
    "\(domain).\(family.camelCaseName(without: prefix))\(part)"
  }

  /// A sample as io.systemd.Metrics lists it: a histogram as three counters.
  package func listed(_ sample: MetricSample) -> [MetricsInterface.List.Reply] {
    var object: String?
    var fields: [String: String] = [:]
    for (label, value) in zip(sample.family.labels, sample.labels) where !value.isEmpty {
      if label == "modem" { object = value } else { fields[label] = value }
    }
    let reply = { (part: String, value: JSONValue, more: [String: String]) in
      let all = fields.merging(more) { $1 }
      return MetricsInterface.List.Reply(
        name: name(sample.family, part), value: value, object: object, fields: all.isEmpty ? nil : all)
    }
    switch sample.value {
    case .number(let number): return [reply("", JSONValue(metric: number), [:])]
    case .word(let word): return [reply("", .string(word), [:])]
    case .histogram(let histogram):
      let buckets = histogram.counts.enumerated().map { index, count in
        let bound = index < histogram.bounds.count ? MetricText.canonical(histogram.bounds[index]) : "+Inf"
        return reply("Bucket", JSONValue(metric: Double(count)), ["le": bound])
      }
      return buckets + [
        reply("Count", JSONValue(metric: Double(histogram.count)), [:]),
        reply("Sum", JSONValue(metric: histogram.sum), [:]),
      ]
    }
  }

  /// A family as io.systemd.Metrics describes it.
  package func described(_ family: MetricFamily) -> [MetricsInterface.Describe.Reply] {
    let reply = { (part: String, type: MetricsInterface.MetricFamilyType) in
      MetricsInterface.Describe.Reply(name: name(family, part), description: family.help, type: type)
    }
    switch family.kind {
    case .counter: return [reply("", .counter)]
    case .gauge, .info: return [reply("", .gauge)]
    case .state: return [reply("", .string)]
    case .histogram: return ["Bucket", "Count", "Sum"].map { reply($0, .counter) }
    }
  }
}

extension JSONValue {
  /// Counts are whole numbers, so that no reader has to round.
  fileprivate init(metric number: Double) {
    if let whole = Int(exactly: number) { self = .int(whole) } else { self = .double(number) }
  }
}

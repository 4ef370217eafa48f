import CoreMetrics
import Synchronization

/// Keeps what a service counts, behind swift-metrics' API: pass it as `factory:`.
///
/// Only declared families and their declared labels are kept, and only a bounded number of series.
/// What exceeds that is counted and takes no memory.
package final class MetricStore: MetricsFactory {
  private struct Key: Hashable {
    let family: String
    let labels: [String]
  }

  private struct Contents {
    var series: [Key: any MetricSeries] = [:]
    /// How often a series was asked for that is not kept.
    var dropped: UInt64 = 0
  }

  /// The families, in the order in which they are told.
  package let families: [MetricFamily]
  private let byName: [String: MetricFamily]
  private let limit: Int
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - families: what may be counted; two of one name are one.
  ///   - limit: how many series there may be, each with its labels' values.
  package init(_ families: [MetricFamily], limit: Int = 1000) {
    self.families = families
    self.limit = limit
    byName = Dictionary(families.map { ($0.name, $0) }) { first, _ in first }
  }

  /// How often a series was asked for that is not kept.
  package var dropped: UInt64 { contents.withLock(\.dropped) }

  /// The present values, ordered by family and labels.
  package var samples: [MetricSample] {
    let series = contents.withLock { Array($0.series.values) }
    let byFamily = Dictionary(grouping: series, by: \.family.name)
    return families.flatMap { family in
      (byFamily[family.name] ?? []).map { MetricSample(family, $0.labels, $0.value) }
        .sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
    }
  }

  private func series<Series: MetricSeries>(
    _ name: String, _ dimensions: [(String, String)], _ make: (MetricFamily, [String]) -> Series
  ) -> Series? {
    let found = byName[name]
    let labels = found.flatMap { Self.values(of: $0, dimensions) }
    return contents.withLock { contents in
      guard let found, let labels else {
        contents.dropped &+= 1
        return nil
      }
      let key = Key(family: name, labels: labels)
      if let series = contents.series[key] as? Series { return series }
      guard contents.series[key] == nil, contents.series.count < limit else {
        contents.dropped &+= 1
        return nil
      }
      let series = make(found, labels)
      contents.series[key] = series
      return series
    }
  }

  /// The values in the family's order; nil unless the labels are the declared ones.
  private static func values(of family: MetricFamily, _ dimensions: [(String, String)]) -> [String]? {
    guard dimensions.count == family.labels.count else { return nil }
    var values: [String] = []
    for (index, name) in family.labels.enumerated() {
      // Usually in the same order.
      let same = dimensions[index].0 == name ? dimensions[index] : dimensions.first { $0.0 == name }
      guard let same else { return nil }
      values.append(MetricSample.bounded(same.1))
    }
    return values
  }

  private func remove(_ series: (any MetricSeries)?) {
    guard let series else { return }
    contents.withLock { $0.series[Key(family: series.family.name, labels: series.labels)] = nil }
  }

  // MARK: - MetricsFactory

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions) { NumberSeries($0, $1) } ?? NumberSeries.unkept
  }

  package func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, dimensions) { NumberSeries($0, $1) } ?? NumberSeries.unkept
  }

  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions) { NumberSeries($0, $1) } ?? NumberSeries.unkept
  }

  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    guard aggregate else { return series(label, dimensions) { NumberSeries($0, $1) } ?? NumberSeries.unkept }
    return series(label, dimensions) { HistogramSeries($0, $1) } ?? HistogramSeries.unkept
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions) { HistogramSeries($0, $1) } ?? HistogramSeries.unkept
  }

  package func destroyCounter(_ handler: any CounterHandler) { remove(handler as? any MetricSeries) }
  package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
    remove(handler as? any MetricSeries)
  }
  package func destroyMeter(_ handler: any MeterHandler) { remove(handler as? any MetricSeries) }
  package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler as? any MetricSeries) }
  package func destroyTimer(_ handler: any TimerHandler) { remove(handler as? any MetricSeries) }
}

import CoreMetrics
import Synchronization

/// A figure with one set of labels' values.
protocol MetricSeries: AnyObject, Sendable {
  var family: MetricFamily { get }
  var labels: [String] { get }
  var value: MetricSample.Value { get }
}

/// A counter or a gauge. Its lock is held for one addition.
final class NumberSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler, RecorderHandler, MeterHandler {
  /// For what is not kept.
  static let unkept = NumberSeries(MetricFamily("unkept", .gauge, "Nothing."), [])

  let family: MetricFamily
  let labels: [String]
  private let number = Mutex(0.0)

  init(_ family: MetricFamily, _ labels: [String]) {
    self.family = family
    self.labels = labels
  }

  var value: MetricSample.Value { .number(number.withLock(\.self)) }

  func increment(by amount: Int64) { add(Double(amount)) }
  func increment(by amount: Double) { add(amount) }
  func decrement(by amount: Double) { add(-amount) }
  func reset() { number.withLock { $0 = 0 } }
  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }
  func set(_ value: Int64) { set(Double(value)) }

  func set(_ value: Double) {
    guard value.isFinite else { return }
    number.withLock { $0 = value }
  }

  /// A counter never goes back.
  private func add(_ amount: Double) {
    guard amount.isFinite, amount >= 0 || family.kind != .counter else { return }
    number.withLock { $0 += amount }
  }
}

/// Durations in seconds, or other amounts, in fixed buckets.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
  /// For what is not kept.
  static let unkept = HistogramSeries(MetricFamily("unkept", .histogram, "Nothing."), [])

  let family: MetricFamily
  let labels: [String]
  private let histogram: Mutex<MetricHistogram>

  init(_ family: MetricFamily, _ labels: [String]) {
    self.family = family
    self.labels = labels
    histogram = Mutex(MetricHistogram(bounds: family.bounds))
  }

  var value: MetricSample.Value { .histogram(histogram.withLock(\.self)) }

  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { histogram.withLock { $0.add(value) } }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}

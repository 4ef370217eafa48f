import MetricSeries
import ModemService

/// What modemd counts, in one place. Labels have configured names and words of the interfaces only.
package enum ServiceMetrics {
  /// The first part of every name.
  package static let prefix = "modemd"
}

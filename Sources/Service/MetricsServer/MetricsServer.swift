import MetricSeries
import MetricsAPI
import Varlink

/// Tells a service's figures to whoever may ask: over Varlink and as text.
package enum MetricsServer {}

import Testing

@testable import ServiceMetrics

@Suite struct ServiceMetricsTests {}

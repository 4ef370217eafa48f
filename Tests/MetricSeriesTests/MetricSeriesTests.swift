import Testing

@testable import MetricSeries

@Suite struct MetricFamilyTests {}

import CoreMetrics
import Testing

@testable import MetricSeries

private let downs = MetricFamily("x_downs", .counter, labels: ["modem", "cause"], "Ends of bearers.")
private let level = MetricFamily("x_level_bytes", .gauge, unit: "bytes", "A level.")
private let wait = MetricFamily(
  "x_wait_seconds", .histogram, unit: "seconds", labels: ["result"], bounds: [0.25, 1], "A wait.")

@Suite("What a store keeps") struct MetricStoreTests {
  @Test("swift-metrics' counters, gauges, meters, timers and recorders count in the store that is passed")
  func api() {
    let store = MetricStore([downs, level, wait])
    let labels = [("modem", "m1"), ("cause", "36")]
    Counter(label: "x_downs", dimensions: labels, factory: store).increment(by: 2)
    FloatingPointCounter(label: "x_downs", dimensions: labels.reversed(), factory: store).increment(by: 0.5)
    Gauge(label: "x_level_bytes", factory: store).record(7)
    Meter(label: "x_level_bytes", factory: store).increment(by: 1)
    Timer(label: "x_wait_seconds", dimensions: [("result", "ok")], factory: store).recordMilliseconds(500)
    Recorder(label: "x_wait_seconds", dimensions: [("result", "ok")], aggregate: true, factory: store).record(3)
    var histogram = MetricHistogram(bounds: [0.25, 1])
    for value in [0.5, 3] { histogram.add(value) }
    #expect(histogram.counts == [0, 1, 2])
    #expect(
      store.samples == [
        MetricSample(downs, ["m1", "36"], 2.5), MetricSample(level, [], 8),
        MetricSample(wait, ["ok"], .histogram(histogram)),
      ])
    #expect(store.dropped == 0)
  }

  @Test("a flood of labels ends at the limit: what is over is counted, and what is known goes on")
  func flood() {
    let store = MetricStore([downs], limit: 100)
    for number in 0..<10_000 {
      Counter(label: "x_downs", dimensions: [("modem", "m\(number)"), ("cause", "")], factory: store).increment()
    }
    #expect(store.samples.count == 100)
    #expect(store.dropped == 9900)
    Counter(label: "x_downs", dimensions: [("modem", "m0"), ("cause", "")], factory: store).increment()
    #expect(store.samples.first == MetricSample(downs, ["m0", ""], 2))
    #expect(store.dropped == 9900)
  }

  @Test("what is not declared is not kept: families, labels, a kind of another figure")
  func undeclared() {
    let store = MetricStore([downs, wait])
    Counter(label: "x_ups", factory: store).increment()
    Counter(label: "x_downs", dimensions: [("modem", "m1")], factory: store).increment()
    Counter(label: "x_downs", dimensions: [("modem", "m1"), ("user", "1000")], factory: store).increment()
    Counter(label: "x_downs", dimensions: [("modem", "m1"), ("modem", "m2")], factory: store).increment()
    #expect(store.samples == [])
    #expect(store.dropped == 4)
    Timer(label: "x_wait_seconds", dimensions: [("result", "ok")], factory: store).recordSeconds(1)
    Counter(label: "x_wait_seconds", dimensions: [("result", "ok")], factory: store).increment()
    #expect(store.samples.count == 1)
    #expect(store.dropped == 5)
  }

  @Test("a counter does not go back, and no value is not a number")
  func values() {
    let store = MetricStore([downs, level, wait])
    let counter = FloatingPointCounter(
      label: "x_downs", dimensions: [("modem", ""), ("cause", "")], factory: store)
    counter.increment(by: 1)
    (store.makeFloatingPointCounter(label: "x_downs", dimensions: [("modem", ""), ("cause", "")])).increment(by: -5)
    Gauge(label: "x_level_bytes", factory: store).record(Double.nan)
    Recorder(label: "x_wait_seconds", dimensions: [("result", "")], factory: store).record(Double.infinity)
    #expect(store.samples.map(\.value) == [.number(1), .number(0), .histogram(MetricHistogram(bounds: [0.25, 1]))])
  }

  @Test("a long label is cut between characters, and control characters are none of a label's")
  func labels() {
    let sample = MetricSample(downs, [String(repeating: "ä", count: 100), "a\nb\u{0}c\u{7f}"], 1)
    #expect(sample.labels == [String(repeating: "ä", count: 64), "a b c "])
  }

  @Test("many tasks count at once without losing one, in microseconds each")
  func hotPath() async {
    let store = MetricStore([downs, wait])
    let (tasks, each) = (8, 20_000)
    let start = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<each {
            Counter(label: "x_downs", dimensions: [("modem", "m"), ("cause", "36")], factory: store).increment()
          }
        }
      }
    }
    let time = (ContinuousClock.now - start) / (tasks * each)
    #expect(store.samples == [MetricSample(downs, ["m", "36"], Double(tasks * each))])
    print("one count: \(time)")
    // A debug build on a busy machine: ten times what it takes.
    #expect(time < .microseconds(100), "\(time)")
  }

  @Test("a figure that is destroyed is gone")
  func destroyed() {
    let store = MetricStore([level])
    let gauge = Gauge(label: "x_level_bytes", factory: store)
    gauge.record(1)
    #expect(store.samples.count == 1)
    gauge.destroy()
    #expect(store.samples == [])
  }
}

@Suite("Figures as text") struct MetricTextTests {
  private let samples: [MetricSample] = {
    var histogram = MetricHistogram(bounds: [0.25, 1])
    for value in [0.25, 0.5, 3] { histogram.add(value) }
    return [
      MetricSample(MetricFamily("x_build", .info, labels: ["version"], "The version."), ["1\"\\\n2"], 1),
      MetricSample(downs, ["m1", "36"], 3), MetricSample(downs, ["m2", ""], 1_000_000_000_000),
      MetricSample(
        MetricFamily("x_sim", .state, labels: ["modem"], words: ["absent", "ready"], "The SIM."), ["m1"], .word("ready")
      ),
      MetricSample(level, [], -1.5), MetricSample(wait, ["ok"], .histogram(histogram)),
    ]
  }()

  @Test("OpenMetrics 1.0, to the letter")
  func openMetrics() {
    // A newline inside a sample's label was made a blank before.
    #expect(
      MetricText.openMetrics.write(samples) == #"""
        # TYPE x_build info
        # HELP x_build The version.
        x_build_info{version="1\"\\ 2"} 1
        # TYPE x_downs counter
        # HELP x_downs Ends of bearers.
        x_downs_total{modem="m1",cause="36"} 3
        x_downs_total{modem="m2",cause=""} 1000000000000
        # TYPE x_sim gauge
        # HELP x_sim The SIM.
        x_sim{modem="m1",state="absent"} 0
        x_sim{modem="m1",state="ready"} 1
        # TYPE x_level_bytes gauge
        # UNIT x_level_bytes bytes
        # HELP x_level_bytes A level.
        x_level_bytes -1.5
        # TYPE x_wait_seconds histogram
        # UNIT x_wait_seconds seconds
        # HELP x_wait_seconds A wait.
        x_wait_seconds_bucket{result="ok",le="0.25"} 1
        x_wait_seconds_bucket{result="ok",le="1.0"} 2
        x_wait_seconds_bucket{result="ok",le="+Inf"} 3
        x_wait_seconds_count{result="ok"} 3
        x_wait_seconds_sum{result="ok"} 3.75
        # EOF

        """#)
  }

  @Test("Prometheus' older form has no units, no end, and the samples' names in its heads")
  func prometheus() {
    let text = MetricText.prometheus.write(samples)
    #expect(text.hasPrefix("# TYPE x_build_info gauge\n# HELP x_build_info The version.\n"))
    #expect(text.contains("\n# TYPE x_downs_total counter\n"))
    #expect(!text.contains("# UNIT") && !text.contains("# EOF") && !text.contains(" info\n"))
  }

  @Test("nothing to tell is an end alone")
  func empty() { #expect(MetricText.openMetrics.write([]) == "# EOF\n") }

  @Test(
    "names over Varlink are the words without the prefix",
    arguments: [
      (downs, "Downs"), (wait, "WaitSeconds"), (MetricFamily("x_build", .info, "."), "BuildInfo"),
      (MetricFamily("process_open_fds", .gauge, "."), "ProcessOpenFds"),
    ])
  func camelCase(_ family: MetricFamily, _ name: String) { #expect(family.camelCaseName(without: "x") == name) }
}

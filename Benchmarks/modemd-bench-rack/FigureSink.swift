import Glibc

/// A figure as `modemd-bench` prints it: `name value unit` to standard output, and a JSON object a
/// line to a file where one is given.
struct FigureSink {
  let json: String?

  /// - Parameter most: the limit, where there is one.
  func write(_ name: String, _ value: Double, _ unit: String, most: Double? = nil) throws {
    let ratio = most.map { value / $0 }
    print(name, Self.text(value), unit, ratio.map(Self.text) ?? "-", "-", "-")
    fflush(nil)
    guard let json else { return }
    guard let file = fopen(json, "ae") else { throw BenchmarkFailure("\(json): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    fputs(
      #"{"name":"\#(name)","value":\#(Self.text(value)),"unit":"\#(unit)","#
        + #""ratioToLimit":\#(ratio.map(Self.text) ?? "null"),"ratioToPeer":null,"ratioToOne":null}"# + "\n", file)
  }

  private static func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}

import BenchmarkFigures

/// A drawing as text: the few elements that figures need, in the style of the documents' other
/// drawings.
struct SVGDocument {
  /// How an element looks; the style sheet has a class of this name.
  enum Style: String {
    /// Words of the drawing's own size, and smaller grey ones.
    case text, small
    case name
    case axis, grid
    /// The figures, and what they are compared with.
    case figure, peer, limit
  }

  enum Anchor: String {
    case start, middle, end
  }

  private let width: Int
  private let height: Int
  private let title: String
  private let description: String
  private var elements: [String] = []

  /// - Parameters:
  ///   - width: in pixels, as the height.
  ///   - description: what the drawing shows, for those who cannot see it.
  init(width: Int, height: Int, title: String, description: String) {
    (self.width, self.height, self.title, self.description) = (width, height, title, description)
  }

  mutating func line(_ from: (Double, Double), _ end: (Double, Double), _ style: Style) {
    elements.append(
      #"<line class="\#(style)" x1="\#(at(from.0))" y1="\#(at(from.1))" x2="\#(at(end.0))" y2="\#(at(end.1))"/>"#)
  }

  mutating func path(_ points: [(Double, Double)], _ style: Style) {
    let list = points.map { "\(at($0.0)),\(at($0.1))" }.joined(separator: " ")
    elements.append(#"<polyline class="\#(style)" points="\#(list)"/>"#)
  }

  mutating func dot(_ place: (Double, Double), _ style: Style) {
    elements.append(#"<circle class="\#(style) dot" cx="\#(at(place.0))" cy="\#(at(place.1))" r="3.5"/>"#)
  }

  mutating func bar(_ place: (Double, Double), width: Double, height: Double, _ style: Style) {
    elements.append(
      #"<rect class="\#(style) bar" x="\#(at(place.0))" y="\#(at(place.1))" width="\#(at(width))" "#
        + #"height="\#(at(height))" rx="2"/>"#)
  }

  mutating func words(_ text: String, _ place: (Double, Double), _ style: Style = .text, _ anchor: Anchor = .start) {
    elements.append(
      #"<text class="\#(style)" x="\#(at(place.0))" y="\#(at(place.1))" text-anchor="\#(anchor)">\#(Self.escaped(text))</text>"#
    )
  }

  /// The whole file.
  var text: String {
    let lines = elements.map { "  \($0)\n" }.joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      role="img" aria-labelledby="title desc">
        <title id="title">\(Self.escaped(title))</title>
        <desc id="desc">\(Self.escaped(description))</desc>
        <style>
          text { font-family: sans-serif; font-size: 13px; fill: #24292f; }
          .name { font-weight: 600; font-size: 15px; }
          .small { font-size: 12px; fill: #57606a; }
          line, polyline { fill: none; }
          .axis { stroke: #6e7781; stroke-width: 1.5; }
          .grid { stroke: #d0d7de; stroke-width: 1; }
          .figure { stroke: #2188ff; stroke-width: 2.5; }
          .peer { stroke: #6e7781; stroke-width: 2; }
          .limit { stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 6 4; }
          .dot, .bar { stroke: none; }
          .figure.dot, .figure.bar { fill: #2188ff; }
          .peer.dot, .peer.bar { fill: #8c959f; }
          .limit.bar { fill: #cf222e; }
          @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3; }
            .small { fill: #9da7b1; }
            .grid { stroke: #30363d; }
          }
        </style>
      \(lines)</svg>

      """
  }

  /// A tenth of a pixel is enough.
  private func at(_ value: Double) -> String { Figure("", (value * 10).rounded() / 10, "").valueText }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}

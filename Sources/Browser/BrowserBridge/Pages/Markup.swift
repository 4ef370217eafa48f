/// HTML as a value. Names of elements and attributes are closed lists, and every text and value is
/// escaped as it is written, so that nothing from outside can become markup.
package indirect enum Markup: Sendable {
  case text(String)
  case element(Tag, [Attribute], [Markup])

  package enum Tag: String, Sendable {
    case html, head, body, title, meta, link, script, noscript, main, h1, p, ol, li, form, label, input, button, a, div
    case h2, table, tbody, tr, th, td

    /// Void elements have no content and no end (HTML, 13.1.2).
    fileprivate var isVoid: Bool { self == .meta || self == .link || self == .input }
  }

  package struct Attribute: Sendable {
    package enum Name: String, Sendable {
      case id, lang, charset, name, content, rel, href, src, type, method, action, value, role, autocomplete, inputmode
      case pattern, maxlength, minlength, required, autofocus, novalidate, scope
      case htmlFor = "for"
      case httpEquiv = "http-equiv"
      case live = "aria-live"
      case describedBy = "aria-describedby"
      case isInvalid = "aria-invalid"
      case news = "data-news"
      case here = "data-here"
      case number = "data-page"
      case lost = "data-lost"
      case consent = "data-consent"
      case `defer`
    }

    let name: Name
    let value: String

    package init(_ name: Name, _ value: String = "") {
      self.name = name
      self.value = value
    }
  }

  package static func element(_ tag: Tag, _ attributes: [Attribute] = [], _ text: String) -> Markup {
    .element(tag, attributes, [.text(text)])
  }

  package static func element(_ tag: Tag, _ attributes: [Attribute]) -> Markup { .element(tag, attributes, []) }

  /// The text of a document with this as its root.
  package var document: [UInt8] {
    var text = "<!DOCTYPE html>\n"
    write(to: &text)
    text += "\n"
    return Array(text.utf8)
  }

  package var html: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to output: inout String) {
    switch self {
    case .text(let text): output += Self.escaped(text)
    case .element(let tag, let attributes, let children):
      output += "<\(tag.rawValue)"
      for attribute in attributes { output += " \(attribute.name.rawValue)=\"\(Self.escaped(attribute.value))\"" }
      output += ">"
      guard !tag.isVoid else { return }
      for child in children { child.write(to: &output) }
      output += "</\(tag.rawValue)>"
    }
  }

  /// Characters that a document may not have become U+FFFD.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value): result += "\u{fffd}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

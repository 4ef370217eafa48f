/// An interface whose types others share: Varlink's interfaces cannot, so that each declares what it has in common with others.
///
/// A type that an interface declares under the name that it has in a home, with the same fields or words, is the home's type in Swift.
public struct TypeHome: Sendable {
  public var interface: InterfaceSyntax
  /// The Swift module of its generated types; nil for the module that is being written.
  public var module: String?

  public init(_ interface: InterfaceSyntax, module: String? = nil) {
    self.interface = interface
    self.module = module
  }

  /// Reads the list of homes: the name of an interface on each line, the first that has a type being its home. Lines that begin
  /// with `#` and empty lines say nothing.
  public static func names(in text: String) -> [String] {
    text.split(separator: "\n").map { $0.filter { $0 != " " && $0 != "\r" && $0 != "\t" } }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }
}

extension [TypeHome] {
  /// The home of a type, where that is another interface than the one that declares it here.
  func home(of name: String, in interface: InterfaceSyntax) -> TypeHome? {
    for home in self {
      // What stands behind it in the list takes its types.
      guard home.interface.name != interface.name else { return nil }
      // A type of parameters alone is closed to words that a reply may have.
      let isAsked = interface.typesOfParametersOnly.contains(name)
      if interface.declaresSameType(name, as: home.interface),
        isAsked == home.interface.typesOfParametersOnly.contains(name)
      {
        return home
      }
    }
    return nil
  }
}

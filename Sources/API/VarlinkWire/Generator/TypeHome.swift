/// An interface whose types others share. Varlink interfaces cannot share types, so each declares
/// its own copy.
///
/// If an interface declares a type under the same name as a home, with the same fields or words, it
/// is the home's type in Swift.
public struct TypeHome: Sendable {
  public var interface: InterfaceSyntax
  /// The Swift module of its generated types; nil for the module being written.
  public var module: String?

  public init(_ interface: InterfaceSyntax, module: String? = nil) {
    self.interface = interface
    self.module = module
  }

  /// Reads the list of homes: the name of an interface on each line; the first that has a type is
  /// its home. Lines that begin with `#` and empty lines are ignored.
  public static func names(in text: String) -> [String] {
    text.split(separator: "\n").map { $0.filter { $0 != " " && $0 != "\r" && $0 != "\t" } }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }
}

extension [TypeHome] {
  /// The home of a type, if it is another interface than the declaring one.
  func home(of name: String, in interface: InterfaceSyntax) -> TypeHome? {
    for home in self {
      // Interfaces after it in the list use its types.
      guard home.interface.name != interface.name else { return nil }
      // A type used only in parameters is closed, unlike a reply's type.
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

/// A Varlink interface as its description declares it (varlink.org, Interface Definition).
public struct InterfaceSyntax: Hashable, Sendable {
  /// Reverse-domain name, as in org.modemd.Modem.
  public var name: String
  public var comment: [String]
  public var members: [Member]

  /// A type, method or error.
  public enum Member: Hashable, Sendable {
    case type(name: String, comment: [String], TypeSyntax)
    case method(name: String, comment: [String], parameters: [Field], reply: [Field])
    case error(name: String, comment: [String], fields: [Field])

    func declaresType(_ name: String) -> Bool {
      if case .type(name, _, _) = self { true } else { false }
    }

    public var name: String {
      switch self {
      case .type(let name, _, _), .method(let name, _, _, _), .error(let name, _, _): name
      }
    }
  }

  /// A named part of a struct, with the comment lines above it.
  public struct Field: Hashable, Sendable {
    public var name: String
    public var comment: [String]
    public var type: TypeSyntax

    public init(name: String, comment: [String] = [], type: TypeSyntax) {
      self.name = name
      self.comment = comment
      self.type = type
    }
  }
}

/// The type of a field.
public indirect enum TypeSyntax: Hashable, Sendable {
  case bool, int, float, string, object
  case named(String)
  case `struct`([InterfaceSyntax.Field])
  case `enum`([String])
  case array(TypeSyntax)
  /// `[string]T`
  case map(TypeSyntax)
  case nullable(TypeSyntax)
}

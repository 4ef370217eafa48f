/// An interface: its name and its description's text. Generated code conforms to it.
public protocol VarlinkInterface: Sendable {
  /// Reverse-domain name, as in org.modemd.Modem.
  static var name: String { get }
  /// The complete description, as GetInterfaceDescription returns it.
  static var text: String { get }
}

/// A method's parameters. Names that are not in `fieldNames` are refused.
public protocol VarlinkParameters: Codable, Sendable {
  static var fieldNames: Set<String> { get }
}

/// A method: its qualified name and the types of its parameters and reply.
public protocol VarlinkMethod: Sendable {
  associatedtype Parameters: VarlinkParameters
  associatedtype Reply: Codable & Sendable
  /// Interface and method, as in org.modemd.Modem.Get.
  static var name: String { get }
}

/// The fields of an error.
public protocol VarlinkErrorParameters: Codable, Sendable {
  /// Interface and error, as in org.modemd.Modem.NoModem.
  static var name: String { get }
}

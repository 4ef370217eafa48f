/// An error that goes over the wire: a qualified name and its fields.
public struct VarlinkError: Error, Sendable, CustomStringConvertible {
  public let name: String
  /// The fields as JSON.
  let encodedParameters: [UInt8]

  /// An error that an interface declares.
  public init(_ parameters: some VarlinkErrorParameters) {
    self.init(named: type(of: parameters).name, parameters)
  }

  init(named name: String, _ parameters: some Encodable) {
    self.name = name
    encodedParameters = JSONCoding.encode(parameters)
  }

  init(name: String, encodedParameters: [UInt8]) {
    self.name = name
    self.encodedParameters = encodedParameters
  }

  /// The fields, if this is the error that `type` declares; nil otherwise.
  public func parameters<Parameters: VarlinkErrorParameters>(as type: Parameters.Type) -> Parameters? {
    guard name == Parameters.name else { return nil }
    return try? JSONCoding.decode(Parameters.self, from: encodedParameters)
  }

  /// All fields as they came, of errors too that this program does not know.
  public var parameters: JSONValue {
    (try? JSONCoding.decode(JSONValue.self, from: encodedParameters)) ?? .object([:])
  }

  /// One text field, such as `parameter` of InvalidParameter; nil if there is none.
  public func field(_ name: String) -> String? {
    guard case .object(let fields)? = try? JSONCoding.decode(JSONValue.self, from: encodedParameters),
      case .string(let text)? = fields[name]
    else { return nil }
    return text
  }

  public var description: String { name }

  /// org.varlink.service.InterfaceNotFound
  public static func interfaceNotFound(_ interface: String) -> VarlinkError {
    VarlinkError(named: "org.varlink.service.InterfaceNotFound", ["interface": interface])
  }
  /// org.varlink.service.MethodNotFound
  public static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError(named: "org.varlink.service.MethodNotFound", ["method": method])
  }
  /// org.varlink.service.InvalidParameter
  public static func invalidParameter(_ parameter: String) -> VarlinkError {
    VarlinkError(named: "org.varlink.service.InvalidParameter", ["parameter": parameter])
  }
  /// org.varlink.service.PermissionDenied
  public static let permissionDenied = VarlinkError(
    named: "org.varlink.service.PermissionDenied", [String: String]())
  /// org.varlink.service.ExpectedMore
  public static let expectedMore = VarlinkError(named: "org.varlink.service.ExpectedMore", [String: String]())
}

/// org.varlink.service, which every Varlink service has (varlink.org, Service Interface).
enum ServiceInterface: VarlinkInterface {
  static let name = "org.varlink.service"
  static let text = """
    # Describes the service and its interfaces.
    interface org.varlink.service

    # Who made the service, and which interfaces it has.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The description of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # There is no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The method is declared and not there.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown or of a wrong type.
    error InvalidParameter (parameter: string)

    # The caller may not call this method.
    error PermissionDenied ()

    # The method must be called with `more`.
    error ExpectedMore ()

    """

  enum GetInfo: VarlinkMethod {
    static let name = "org.varlink.service.GetInfo"
    struct Parameters: VarlinkParameters {
      static let fieldNames: Set<String> = []
    }
    struct Reply: Codable, Sendable {
      var vendor: String
      var product: String
      var version: String
      var url: String
      var interfaces: [String]
    }
  }

  enum GetInterfaceDescription: VarlinkMethod {
    static let name = "org.varlink.service.GetInterfaceDescription"
    struct Parameters: VarlinkParameters {
      static let fieldNames: Set<String> = ["interface"]
      var interface: String
    }
    struct Reply: Codable, Sendable {
      var description: String
    }
  }
}

import JSONTree
import OperatorSimulator

/// What older clients ask the page behind the QR code, and then the API.
extension MIRACLService {
  /// Which service the page belongs to. 406 for a client that is not the project's, 412 for one that is too old.
  func service(_ call: Call, _ project: SimulatedMIRACLProject) throws -> SimulatedResponse {
    let id = call.request.headers["x-miracl-cid"].flatMap { projects[$0] }?.id
    guard id != nil, project.landing != .forbidden else { return .problem(406, "the application is not allowed") }
    guard project.landing != .deprecated else { return .problem(412, "the client's version is too old") }
    return .json(
      JSONValue.object([
        "name": .string(project.name), "url": .string("https://\(hosts.api)"), "rps_prefix": .string("rps"),
        "logo_url": .string("https://\(hosts.landing)/logo.png"), "type": .string("online"),
      ]).text)
  }

  /// Where the calls are; time permits are not used.
  var settings: JSONValue {
    .object([
      "registerURL": .string("/rps/v2/user"), "signatureURL": .string("/rps/v2/signature"),
      "mpinAuthServerURL": .string("/rps/v2"), "authenticateURL": .string("/rps/v2/authenticate"),
      "codeStatusURL": .string("/rps/v2/codeStatus"), "certivoxURL": .string("https://\(hosts.authority)"),
      "dvsRegURL": .string("/rps/v2/dvsregister"), "setDeviceName": .bool(true), "requestOTP": .bool(false),
    ])
  }
}

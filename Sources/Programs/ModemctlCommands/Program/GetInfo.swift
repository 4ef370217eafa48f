import Varlink

/// org.varlink.service.GetInfo, which every Varlink service answers.
enum GetInfo: VarlinkMethod {
  static let name = "org.varlink.service.GetInfo"
  struct Parameters: VarlinkParameters {
    static let fieldNames: Set<String> = []
  }
  struct Reply: Codable, Hashable, Sendable {
    var product: String
    var version: String
  }
}

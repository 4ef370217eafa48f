import Glibc
import Markup
import ModemModel

/// Debian's list of mobile broadband providers (package mobile-broadband-provider-info), read when
/// an access point is needed.
package struct ProviderList: Sendable {
  /// Where Debian puts it.
  package static let debianPath = "/usr/share/mobile-broadband-provider-info/serviceproviders.xml"

  private let path: String
  /// Bytes; a longer file is not read.
  private static let largest = 16 << 20

  package init(path: String = ProviderList.debianPath) { self.path = path }

  /// The Internet access points of a network's providers, without duplicates. First come providers
  /// with the network's name (resellers may use the same codes), then the network's main provider,
  /// then the others in the file's order.
  ///
  /// - Returns: empty if the file is absent or lists none.
  package func accessPoints(of network: Network) -> [AccessPoint] {
    guard let bytes = contents() else { return [] }
    return Self.accessPoints(of: network, in: bytes)
  }

  /// The same, from the file's bytes.
  static func accessPoints(of network: Network, in bytes: [UInt8]) -> [AccessPoint] {
    var reader = ProviderReader(network.plmn)
    var scanner = MarkupScanner(bytes)
    while let token = scanner.next() { reader.take(token) }
    let ranked = reader.found.enumerated().sorted { a, b in
      let (x, y) = (a.element.rank(for: network), b.element.rank(for: network))
      return x == y ? a.offset < b.offset : x < y
    }
    var seen: Set<AccessPoint> = []
    return ranked.flatMap(\.element.accessPoints).filter { seen.insert($0).inserted }
  }

  private func contents() -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...Self.largest).contains(Int(status.st_size))
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      // Impossible: the buffer has the file's size, which is at least 1.
      let size = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + count, $0.count - count) }
      guard size > 0 else { break }
      count += size
    }
    return Array(bytes.prefix(count))
  }
}

/// A provider that serves the requested network.
private struct Provider {
  var name = ""
  var isPrimary = false
  var isOfNetwork = false
  var accessPoints: [AccessPoint] = []

  func rank(for network: Network) -> Int {
    if let wanted = network.name, wanted.lowercased() == name.lowercased() { return 0 }
    return isPrimary ? 1 : 2
  }
}

/// Collects the providers of one network from the file's elements.
private struct ProviderReader {
  private(set) var found: [Provider] = []
  private let plmn: PLMN
  private var path: [String] = []
  private var provider = Provider()
  private var accessPoint: AccessPoint?
  private var isForInternet = true
  private var text = ""

  init(_ plmn: PLMN) { self.plmn = plmn }

  mutating func take(_ token: MarkupScanner.Token) {
    switch token {
    case .text(let part): text += part
    case .start(let name, let attributes):
      path.append(name)
      text = ""
      begin(name, attributes)
    case .end(let name):
      end(name)
      text = ""
      // A malformed file must not make this list grow: an end without a start changes nothing.
      if path.last == name { path.removeLast() }
    }
  }

  private mutating func begin(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "provider": provider = Provider(isPrimary: attributes["primary"] == "true")
    case "network-id":
      if attributes["mcc"] == plmn.mcc, attributes["mnc"] == plmn.mnc { provider.isOfNetwork = true }
    case "apn" where path.contains("gsm"):
      accessPoint = attributes["value"].flatMap { $0.isEmpty ? nil : AccessPoint(name: $0, source: .database) }
      isForInternet = true
    case "usage" where accessPoint != nil:
      // "mms-internet-hipri" is also for the Internet.
      isForInternet = attributes["type"].map { $0.split(separator: "-").contains("internet") } ?? true
    case "authentication" where accessPoint != nil:
      accessPoint?.authentication = attributes["method"].flatMap(BearerRequest.Authentication.init) ?? .none
    default: break
    }
  }

  private mutating func end(_ name: String) {
    let content = String(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    switch name {
    case "name" where path.dropLast().last == "provider": if provider.name.isEmpty { provider.name = content }
    case "username": accessPoint?.user = content.isEmpty ? nil : content
    case "password": accessPoint?.password = content.isEmpty ? nil : APNPassword(content)
    case "apn":
      if let accessPoint, isForInternet { provider.accessPoints.append(accessPoint.withAuthentication) }
      accessPoint = nil
    case "provider": if provider.isOfNetwork, !provider.accessPoints.isEmpty { found.append(provider) }
    default: break
    }
  }
}

extension AccessPoint {
  /// A user name without a method uses the older method, as in other readers of the list.
  fileprivate var withAuthentication: AccessPoint {
    guard user != nil, authentication == .none else { return self }
    var copy = self
    copy.authentication = .pap
    return copy
  }
}

import FoundationEssentials
import Glibc

/// The messages of a file of TS.43's vectors, in hexadecimal. It may lack any section.
struct AuthenticationVectors: Decodable {
  let mbim: MBIM?
  let qmi: QMI?
  let apdu: APDU?

  enum CodingKeys: String, CodingKey {
    case mbim, apdu
    case qmi = "qmi_uim"
  }

  struct MBIM: Decodable {
    let query: String
    let boundQuery: String
    let replies: Replies
    let openChannel: String
    let command: String
    let closeChannel: String

    enum CodingKeys: String, CodingKey {
      case replies
      case query = "aka_query"
      case boundQuery = "akap_query_WLAN"
      case openChannel = "uicc_open_channel"
      case command = "uicc_apdu"
      case closeChannel = "uicc_close"
    }

    struct Replies: Decodable {
      let ok68, sync68, mac_empty_body: Reply
    }

    struct Reply: Decodable { let hex: String }
  }

  /// Messages without the QMUX header.
  struct QMI: Decodable {
    let authenticate_request, authenticate_reply_ok, authenticate_reply_sync, authenticate_reply_mac_failure: String
    let open_logical_channel_request, open_logical_channel_reply: String
    let send_apdu_request: String
    let close_logical_channel_request: String
  }

  struct APDU: Decodable {
    let authenticate_3g, channel_1, channel_4: String
  }

  /// That of this repository, or the one that `MODEMD_TS43_VECTORS` names.
  static let current: AuthenticationVectors = {
    let repository = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let file =
      getenv("MODEMD_TS43_VECTORS").map { String(cString: $0) } ?? "\(repository)/Tests/Vectors/ts43-vectors.json"
    do {
      return try JSONDecoder().decode(AuthenticationVectors.self, from: Data(contentsOf: URL(filePath: file)))
    } catch {
      fatalError("\(file) is no file of vectors: \(error)")
    }
  }()
}

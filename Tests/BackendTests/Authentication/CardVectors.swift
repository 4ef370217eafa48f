import FoundationEssentials
import Glibc
import ModemModel

/// The vectors of challenges on their way to a card: of Tests/Vectors, or of the file that
/// `MODEMD_TS43_VECTORS` names. Any section may be missing there.
struct CardVectors: Decodable, Sendable {
  struct MBIM: Decodable, Sendable {
    struct Reply: Decodable, Sendable {
      struct Read: Decodable, Sendable {
        let parse_ok: Bool
        let get_result_ok: Bool
        let res: String?
        let res_len: Int?
        let ik: String?
        let ck: String?
        let auts: String?
      }

      let hex: String
      let libmbim: Read
    }

    let rand: String
    let autn: String
    let aka_query: String
    let replies: [String: Reply]
    let uicc_open_channel: String
    let uicc_apdu: String
    let uicc_close: String
    let aid: String
    let apdu: String
  }

  struct QMI: Decodable, Sendable {
    let authenticate_request: String
    let authenticate_reply_ok: String
    let authenticate_reply_sync: String
    let authenticate_reply_mac_failure: String
    let open_logical_channel_request: String
    let open_logical_channel_reply: String
    let send_apdu_request: String
    let send_apdu_reply: String
    let close_logical_channel_request: String
  }

  struct APDU: Decodable, Sendable {
    struct Answer: Decodable, Sendable {
      let data: String
      let sw: String
      let means: String
    }

    let authenticate_3g: String
    let channel_1: String
    let channel_4: String
    let answers: [Answer]
  }

  let mbim: MBIM?
  let qmi_uim: QMI?
  let apdu: APDU?

  static let all: CardVectors = {
    let own =
      "\(#filePath.dropLast("BackendTests/Authentication/CardVectors.swift".utf8.count))Vectors/ts43-vectors.json"
    let file = getenv("MODEMD_TS43_VECTORS").map { String(cString: $0) } ?? own
    do {
      return try JSONDecoder().decode(CardVectors.self, from: try Data(contentsOf: URL(filePath: file)))
    } catch {
      fatalError("\(file) is no file of vectors: \(error)")
    }
  }()
}

/// The challenge of the vectors, and what the card of the vectors answers.
enum Known {
  static let rand = octets("000102030405060708090a0b0c0d0e0f")
  static let autn = octets("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0")
  static let challenge = AKAChallenge(rand: rand, autn: autn)!
  static let res = octets("28d7b0f2a2ec3de5")
  static let ck = octets("5349fbe098649f948f5d2e973a81c00f")
  static let ik = octets("9744871ad32bf9bbd1dd5ce54e3e2e5a")
  static let auts = octets("7172737475767778797a7b7c7d7e")
  static let response = answer(res: res)
  static let synchronise = AKAAnswer.synchronise(AUTS(auts)!)
  /// The identifier of the USIM.
  static let usim = octets("a0000000871002ff44ff128900000100")

  static func answer(res: [UInt8]) -> AKAAnswer {
    .response(AKAResponse(res: WipedBytes(res), ck: WipedBytes(ck), ik: WipedBytes(ik))!)
  }

  /// A card's answer: RES, CK and IK behind the tag.
  static func success(res: [UInt8] = res, ck: [UInt8] = ck, ik: [UInt8] = ik, kc: [UInt8]? = nil) -> [UInt8] {
    [0xdb] + [res, ck, ik, kc].compactMap(\.self).flatMap { [UInt8($0.count)] + $0 }
  }

  static let outOfStep = [0xdc, UInt8(auts.count)] + auts
}

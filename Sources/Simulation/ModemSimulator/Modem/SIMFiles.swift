/// An elementary file of the SIM (3GPP TS 31.102, 4.2), as its card would store it.
struct SIMFile: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case transparent([UInt8])
    case records([[UInt8]])
  }

  /// The card's status words for a read (ETSI TS 102 221, 10.2.1).
  struct StatusWords: Error, Hashable {
    let sw1: UInt8
    let sw2: UInt8

    static let done = StatusWords(sw1: 0x90, sw2: 0x00)
    static let wrongLength = StatusWords(sw1: 0x67, sw2: 0x00)
    static let securityNotSatisfied = StatusWords(sw1: 0x69, sw2: 0x82)
    static let wrongStructure = StatusWords(sw1: 0x69, sw2: 0x81)
    static let fileNotFound = StatusWords(sw1: 0x6a, sw2: 0x82)
    static let recordNotFound = StatusWords(sw1: 0x6a, sw2: 0x83)
  }

  let id: UInt16
  let content: Content
  /// Whether reading needs PIN1.
  let needsPIN: Bool
}

extension SIMCard {
  private static let masterFile: UInt16 = 0x3f00
  /// The current application's folder, and those of GSM and of telecommunication.
  private static let folders: Set<UInt16> = [0x7fff, 0x7f20, 0x7f10]

  /// Finds a file by its identifier and the folders that lead to it.
  func file(_ id: UInt16, in path: [UInt16]) throws(SIMFile.StatusWords) -> SIMFile {
    let inMasterFile = path.isEmpty || path == [Self.masterFile]
    let inApplication = path.last.map(Self.folders.contains) ?? false
    guard let file = files.first(where: { $0.id == id }), id == 0x2fe2 ? inMasterFile : inApplication else {
      throw .fileNotFound
    }
    guard !file.needsPIN || lock == .open else { throw .securityNotSatisfied }
    return file
  }

  func readBinary(_ id: UInt16, in path: [UInt16], offset: Int, length: Int) throws(SIMFile.StatusWords) -> [UInt8] {
    guard case .transparent(let bytes) = try file(id, in: path).content else { throw .wrongStructure }
    guard offset <= bytes.count else { throw .wrongLength }
    return Array(bytes.dropFirst(offset).prefix(length == 0 ? bytes.count : length))
  }

  /// - Parameter number: from 1.
  func readRecord(_ id: UInt16, in path: [UInt16], number: Int) throws(SIMFile.StatusWords) -> [UInt8] {
    guard case .records(let records) = try file(id, in: path).content else { throw .wrongStructure }
    guard records.indices.contains(number - 1) else { throw .recordNotFound }
    return records[number - 1]
  }

  private var files: [SIMFile] {
    let groupIdentifier =
      sim.groupIdentifier.isEmpty
      ? [] : [SIMFile(id: 0x6f3e, content: .transparent(sim.groupIdentifier), needsPIN: true)]
    return groupIdentifier + [
      SIMFile(id: 0x2fe2, content: .transparent(iccidFile), needsPIN: false),
      SIMFile(id: 0x6f07, content: .transparent(imsiFile), needsPIN: true),
      SIMFile(id: 0x6fad, content: .transparent(administrativeData), needsPIN: false),
      SIMFile(id: 0x6f40, content: .records(numberRecords), needsPIN: true),
    ]
  }

  /// EF_ICCID (ETSI TS 102 221, 13.2).
  var iccidFile: [UInt8] { Self.swapped(sim.iccid, bytes: 10) }

  /// EF_AD (3GPP TS 31.102, 4.2.18): on old SIMs without the length of the MNC.
  private var administrativeData: [UInt8] {
    let length = sim.mncLength ?? sim.home.plmn.mnc.utf8.count
    return [0, 0, 0] + (length == 0 ? [] : [UInt8(length)])
  }

  /// EF_IMSI (3GPP TS 31.102, 4.2.2): length, then parity and first digit share a byte.
  private var imsiFile: [UInt8] {
    let digits = (sim.imsi.utf8.count.isMultiple(of: 2) ? "1" : "9") + sim.imsi
    return [UInt8((digits.utf8.count + 1) / 2)] + Self.swapped(digits, bytes: 8)
  }

  /// EF_MSISDN (3GPP TS 31.102, 4.2.26): an empty alpha tag, length, type of number, digits. At
  /// least one record.
  private var numberRecords: [[UInt8]] {
    let empty = [UInt8](repeating: 0xff, count: 28)
    let records = (sim.numberRecords ?? sim.numbers).map { number -> [UInt8] in
      guard !number.isEmpty else { return empty }
      let isInternational = number.hasPrefix("+")
      let digits = isInternational ? String(number.dropFirst()) : number
      let count = UInt8(min((digits.utf8.count + 1) / 2, 10))
      let alphaTag = [UInt8](repeating: 0xff, count: 14)
      return alphaTag + [count + 1, isInternational ? 0x91 : 0x81] + Self.swapped(digits, bytes: 10) + [0xff, 0xff]
    }
    return records.isEmpty ? [empty] : records
  }

  /// Digits two to a byte, the first in the low half, filled up with F.
  private static func swapped(_ digits: String, bytes: Int) -> [UInt8] {
    let nibbles = digits.utf8.map { $0 - 0x30 } + [UInt8](repeating: 0xf, count: bytes * 2)
    return (0..<bytes).map { nibbles[$0 * 2] | nibbles[$0 * 2 + 1] << 4 }
  }
}

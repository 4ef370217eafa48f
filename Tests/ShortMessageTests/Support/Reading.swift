import ModemModel
import ShortMessage

/// Reads hexadecimal digits with white space anywhere.
func octets(_ hex: String) -> [UInt8] { MessagePDU(hex: hex.filter { !$0.isWhitespace })!.octets }

func readSamples(_ text: String) -> [String: [UInt8]] {
  var hex: [String: String] = [:]
  var name = ""
  for line in text.split(separator: "\n") {
    if line.first == " " {
      hex[name]! += line.dropFirst()
    } else {
      let halves = line.split(separator: ":", maxSplits: 1)
      name = String(halves[0])
      hex[name] = halves.count > 1 ? String(halves[1]) : ""
    }
  }
  return hex.mapValues(octets)
}

/// The delivery in a sample.
func delivery(_ name: String, hasServiceCentre: Bool = true) throws -> Delivery {
  guard case .delivery(let delivery) = try ShortMessagePDU(samplePDUs[name]!, hasServiceCentre: hasServiceCentre) else {
    throw NoDelivery(name: name)
  }
  return delivery
}

struct NoDelivery: Error { let name: String }

/// A part as it would come from a store.
func part(_ name: String, at reference: String? = nil, received: Int64? = nil, isStored: Bool = true) throws
  -> MessagePart
{
  MessagePart(
    try delivery(name), octets: samplePDUs[name]!, reference: reference ?? name,
    received: received.map { Timestamp(milliseconds: $0) }, isStored: isStored)
}

/// The text of a message of one part.
func text(_ delivery: Delivery) -> String? {
  var assembly = MessageAssembly()
  assembly.add(MessagePart(delivery, octets: [], reference: "", received: nil, isStored: true))
  return assembly.messages.first?.text?.revealed
}

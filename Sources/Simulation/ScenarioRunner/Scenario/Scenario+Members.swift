import NetworkAddress

extension Scenario {
  /// This scenario once for each of its modems. The first is as declared; the identities, keys,
  /// numbers and addresses of the others count on from there.
  var members: [Scenario] { (0..<modem.count).map(member) }

  private func member(_ number: Int) -> Scenario {
    guard number > 0 else { return self }
    var member = self
    member.modem.identity.imei = modem.identity.imei.map { $0.counted(by: number) }
    member.sim.iccid = sim.iccid.counted(by: number)
    member.sim.imsi = sim.imsi.counted(by: number)
    member.sim.key = sim.key.counted(by: number)
    member.sim.numbers = sim.numbers.map { "+" + $0.dropFirst().description.counted(by: number) }
    member.network.ipv4 = network.ipv4?.counted(by: number)
    member.network.ipv6 = network.ipv6?.counted(by: number)
    return member
  }
}

extension Scenario.MobileNetwork.Assignment {
  /// The same place in a later network of the same size.
  fileprivate func counted(by number: Int) -> Self {
    guard let address = prefix.address.moved(by: number, networksOf: prefix.length),
      let gateway = gateway.moved(by: number, networksOf: prefix.length),
      let prefix = IPPrefix(address, length: prefix.length)
    else { return self }
    return Self(prefix: prefix, gateway: gateway)
  }
}

extension IPAddress {
  /// The address in a network that lies `count` networks of `length` bits after this one's; nil
  /// past the end.
  func moved(by count: Int, networksOf length: Int) -> IPAddress? {
    guard length > 0 else { return count == 0 ? self : nil }
    var bytes = bytes
    for _ in 0..<count {
      var index = (length - 1) / 8
      var sum = Int(bytes[index]) + (1 << (index * 8 + 8 - length))
      bytes[index] = UInt8(truncatingIfNeeded: sum)
      while sum > 0xff {
        guard index > 0 else { return nil }
        index -= 1
        sum = Int(bytes[index]) + 1
        bytes[index] = UInt8(truncatingIfNeeded: sum)
      }
    }
    return IPAddress(bytes: bytes)
  }
}

extension [UInt8] {
  /// The bytes as a number that counts on, of the same width: each SIM has a key of its own.
  fileprivate func counted(by number: Int) -> [UInt8] {
    var bytes = self
    var carry = number
    for index in bytes.indices.reversed() {
      carry += Int(bytes[index])
      bytes[index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
    return bytes
  }
}

extension String {
  /// Digits as a number that counts on, of the same width.
  fileprivate func counted(by number: Int) -> String {
    guard let value = UInt64(self) else { return self }
    let digits = String(value + UInt64(number))
    return String(repeating: "0", count: max(utf8.count - digits.count, 0)) + digits
  }
}

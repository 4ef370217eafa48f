import ModemModel

/// The length of the MNC that EF_AD of a SIM gave. The file is part of the subscription, so that it
/// is read once for each SIM, and not with each question about it.
package struct KnownMNCLength: Sendable {
  private var known: (iccid: ICCID, imsi: IMSI, length: Int)?

  package init() {}

  /// The length for the SIM that has this status; nil if it was not read, or if the status does not
  /// tell which SIM it is.
  package func length(for status: SIMStatus) -> Int? {
    guard let known, known.iccid == status.iccid, known.imsi == status.imsi else { return nil }
    return known.length
  }

  /// Keeps what the SIM's file gave; nil, which may be a fault, is not kept.
  package mutating func note(_ length: Int?, for status: SIMStatus) {
    guard let length, let iccid = status.iccid, let imsi = status.imsi else { return }
    known = (iccid, imsi, length)
  }
}

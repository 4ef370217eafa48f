import CCrypto
import Glibc
import JSONTree
import JournalLog
import LimitClock
import MQTTClient
import MetricsAPI
import ModemModel

extension FleetAgent {
  /// Bytes of figures in one message, beside time and session.
  static let figureBytes = 14 << 10

  /// Reports what has changed since the last report.
  func reportFigures(_ now: LimitClock.Instant) {
    metricsDue = settings.metricsSeconds > 0 ? now + .seconds(Int64(settings.metricsSeconds)) : nil
    guard link == .connected, !isReporting else { return }
    isReporting = true
    Task { [weak self, machine] in
      let figures = try? await machine.figures()
      await self?.report(figures)
    }
  }

  private func report(_ figures: [MetricsInterface.List.Reply]?) async {
    isReporting = false
    countDay()
    if let figures { watchBudgets(figures) }
    defer { flush() }
    guard link == .connected, let session else { return }
    // Without modemd there are the agent's own.
    let (changed, isFull) = report.next((figures ?? []) + ownFigures, discretion)
    let parts = MetricReport.parts(changed, bytes: Self.figureBytes)
    for (place, part) in parts.enumerated() {
      let body = JSONValue.fields([
        "full": .bool(isFull), "part": .int(place + 1), "parts": .int(parts.count), "figures": .array(part),
      ])
      guard let payload = Payload.bytes(body, time: clocks.now(), session: session) else { continue }
      do {
        _ = try connection.publish(
          MQTTMessage(topics("metrics"), payload, qos: .atMostOnce, contentType: Payload.contentType))
      } catch {
        // Half a report would be taken for the whole.
        report.forget()
        break
      }
    }
    await save()
  }

  /// The figures of modemd-fleet itself, in the form of modemd's.
  var ownFigures: [MetricsInterface.List.Reply] {
    let traffic = connection.traffic
    let figures: [(String, [String: String]?, Int)] = [
      ("FleetConnects", nil, connects),
      ("FleetCommands", ["result": "accepted"], counts.accepted),
      ("FleetCommands", ["result": "repeated"], counts.repeated),
      ("FleetCommands", ["result": "refused"], counts.refused),
      ("FleetDroppedMessages", nil, replies.dropped + events.dropped),
      ("FleetTransmitBytes", nil, Int(clamping: traffic.sent)),
      ("FleetReceiveBytes", nil, Int(clamping: traffic.received)),
    ]
    return figures.map { name, fields, value in
      MetricsInterface.List.Reply(name: "org.modemd.\(name)", value: .int(value), fields: fields)
    }
  }

  // MARK: - The certificate

  private static let warnsBefore = Duration.seconds(14 * 86_400)

  /// Reads when this machine's certificate ends. Its file may have been renewed.
  func checkCertificate() {
    let now = clocks.waits.now
    certificateDue = now + .seconds(6 * 3600)
    let before = certificateExpires
    certificateExpires = CertificateFile.end(of: settings.certificate)
    let present = clocks.now()
    var text: String?
    if let end = certificateExpires, end < present.later(by: Self.warnsBefore) {
      text = end < present ? "the machine's certificate has expired" : "the machine's certificate expires at \(end)"
    }
    let key = AlarmWatch.Key(kind: .certificateExpires, about: nil)
    if let text, alarms.alarms[key] == nil {
      logger.event(.fleetCertificateExpires, level: .warning, "\(text); renew \(settings.certificate)")
    }
    alarms.update(key, text, time: present, now: now)
    if before != certificateExpires { board.set("about", aboutBody, now: now) }
  }

  /// Adds what passed since the last time to today's bytes.
  func countDay() {
    let traffic = connection.traffic
    day.count(String(clocks.now().description.prefix(10)), Int(clamping: traffic.sent &+ traffic.received))
  }
}

/// Bytes of one day (UTC), over restarts.
struct DayTraffic: Hashable, Sendable {
  var day = ""
  var bytes = 0
  private var counted = 0

  init(day: String = "", bytes: Int = 0) {
    self.day = day
    self.bytes = bytes
  }

  /// - Parameter total: of this process, since its start.
  mutating func count(_ today: String, _ total: Int) {
    if today != day { (day, bytes) = (today, 0) }
    bytes = bytes.addingReportingOverflow(max(total - counted, 0)).partialValue
    counted = total
  }
}

/// The file of a certificate, in PEM.
enum CertificateFile {
  /// The end of the validity of the first certificate in a file; nil if there is none to read.
  static func end(of path: String) -> Timestamp? {
    guard let file = BIO_new_file(path, "r") else {
      ERR_clear_error()
      return nil
    }
    defer { BIO_free(file) }
    guard let certificate = PEM_read_bio_X509(file, nil, nil, nil) else {
      ERR_clear_error()
      return nil
    }
    defer { X509_free(certificate) }
    var time = tm()
    guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1 else { return nil }
    return Timestamp(milliseconds: Int64(timegm(&time)) * 1000)
  }
}

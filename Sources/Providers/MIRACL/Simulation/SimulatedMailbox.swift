import OperatorSimulator
import Synchronization

/// Where the mail goes that simulated services send. `GET /to/ADDRESS` gives the newest mail to an address as text.
package final class SimulatedMailbox: SimulatedService {
  /// One mail.
  package struct Mail: Hashable, Sendable {
    package var recipient: String
    package var subject: String
    package var text: String
  }

  private let host: String
  private let mails = Mutex<[Mail]>([])

  /// - Parameter host: of its page, in lower case.
  package init(host: String) { self.host = host }

  /// Takes a mail.
  package func deliver(_ text: String, subject: String, to recipient: String) {
    mails.withLock { $0.append(Mail(recipient: recipient, subject: subject, text: text)) }
  }

  /// The mails to an address, the oldest first.
  package func mails(to recipient: String) -> [Mail] { mails.withLock { $0.filter { $0.recipient == recipient } } }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard request.host == host else { return nil }
    guard request.method == "GET" else { return .problem(405, "mail is read here") }
    let parts = request.pathParts
    guard parts.count == 2, parts[0] == "to", let mail = mails(to: parts[1].replacing("%40", with: "@")).last else {
      return .problem(404, "there is no mail to this address")
    }
    return SimulatedResponse(
      status: 200, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: "To: \(mail.recipient)\nSubject: \(mail.subject)\n\n\(mail.text)\n")
  }
}

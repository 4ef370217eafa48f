import Glibc
import MBIMBackend
import ModemModel
import QMIBackend

// Challenges the SIM of a modem, to be killed while it waits for the answer:
// `sim-asker mbim|qmi PORT NOTE`, the control port and the file that records an open channel.

let arguments = CommandLine.arguments
guard arguments.count == 4, let language = ModemProtocol(rawValue: arguments[1]) else { exit(2) }
let bytes = [UInt8](repeating: 0, count: AKAChallenge.partCount)
guard let challenge = AKAChallenge(rand: bytes, autn: bytes) else { exit(2) }
let backend: any ModemBackend
switch language {
case .mbim:
  var configuration = MBIMConfiguration(path: arguments[2])
  configuration.channelFile = arguments[3]
  backend = MBIMBackend(configuration)
case .qmi:
  var configuration = QMIConfiguration(path: arguments[2])
  configuration.channelFile = arguments[3]
  backend = QMIBackend(configuration)
}
do {
  try await backend.open()
  _ = try await backend.authenticate(challenge)
} catch {
  exit(1)
}
await backend.close()

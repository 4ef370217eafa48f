import ModemModel

@testable import EAPAKA

extension Rule {
  private static func unprotected(_ method: EAPMethod = .aka) -> Answer { .plain(.notification, [12, 0, 0]) }
  private static let protectedNotification = Answer.protected(.notification, [12, 0, 0])

  /// AKA-Notification (RFC 4187, 6) and EAP's.
  static let notifications: [Rule] = [
    Rule("a general failure first", unprotected()) { try $0.notify(16384) },
    Rule("a general failure first", .akaPrime, unprotected()) { try $0.notify(16384) },
    Rule("a failure that has no name", unprotected()) { try $0.notify(0x4001) },
    Rule("a failure after AKA-Identity", unprotected()) {
      try $0.identify(.anyIdentityRequest)
      try $0.notify(16384)
    },
    Rule("a failure after AUTS", unprotected(), cards: 1) {
      try $0.challenge(card: .isOutOfStep)
      try $0.notify(16384)
    },
    Rule("a failure after RES was wrong", unprotected(), cards: 1) {
      try $0.challenge()
      try $0.notify(16384)
    },
    Rule("a failure after the peer's error", unprotected()) {
      try $0.identify()
      try $0.notify(16384)
    },
    Rule("a failure after a reject", unprotected(), cards: 1) {
      try $0.challenge(card: .refuses)
      try $0.notify(16384)
    },
    Rule("a success that says it is before authentication", .clientError(.notification(0xc000))) {
      try $0.notify(0xc000)
    },
    Rule("a success before authentication", .clientError(.notification(32768))) { try $0.notify(32768) },
    Rule("a protected failure before authentication", .clientError(.notification(1031))) { try $0.notify(1031) },
    Rule("a success after AUTS", .clientError(.notification(32768)), cards: 1) {
      try $0.challenge(card: .isOutOfStep)
      try $0.notify(32768)
    },
    Rule("a success", protectedNotification, cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.resultIndication) }
      try $0.notify(32768, isProtected: true)
    },
    Rule("a success", .akaPrime, protectedNotification, cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.resultIndication) }
      try $0.notify(32768, isProtected: true)
    },
    Rule("a success that nobody asked for", protectedNotification, cards: 1) {
      try $0.challenge()
      try $0.notify(32768, isProtected: true)
    },
    Rule("not subscribed", protectedNotification, cards: 1) {
      try $0.challenge()
      try $0.notify(1031, isProtected: true)
    },
    Rule("denied for now", protectedNotification, cards: 1) {
      try $0.challenge()
      try $0.notify(1026, isProtected: true)
    },
    Rule("a success without AT_MAC", .clientError(.missingAttribute(.mac)), cards: 1) {
      try $0.challenge()
      try $0.notify(32768)
    },
    Rule("a success with another AT_MAC", .clientError(.mac), cards: 1) {
      try $0.challenge()
      try $0.notify(32768, isProtected: true, damage: { $0[$0.count - 1] ^= 1 })
    },
    Rule("a failure made a success on the way", .clientError(.mac), cards: 1) {
      try $0.challenge()
      try $0.notify(1031, isProtected: true, damage: { $0.replaceSubrange(10..<12, with: [0x80, 0]) })
    },
    Rule("a second notification", .clientError(.unexpected(.notification)), cards: 1) {
      try $0.challenge()
      try $0.notify(1031, isProtected: true)
      try $0.notify(32768, isProtected: true)
    },
    Rule("a second notification before authentication", .clientError(.unexpected(.notification))) {
      try $0.notify(16384)
      try $0.notify(16385)
    },
    Rule("a notification without a number", .clientError(.missingAttribute(.notification))) {
      try $0.send(Draft(.aka, .notification))
    },
    Rule("AT_RES in a notification", .clientError(.misplacedAttribute(3))) {
      var draft = Draft(.aka, .notification)
      try draft.add(.notification, 16384)
      try draft.add(.res, [1, 2, 3, 4])
      try $0.send(draft)
    },
    Rule("a challenge after a notification", .clientError(.unexpected(.challenge))) {
      try $0.notify(16384)
      try $0.challenge()
    },
    Rule("a success after fast re-authentication without its counter", .clientError(.counter)) {
      $0 = try .again(.aka)
      try $0.reauthenticate()
      try $0.notify(32768, isProtected: true)
    },
    Rule("a success after fast re-authentication with another counter", .clientError(.counter)) {
      $0 = try .again(.aka)
      try $0.reauthenticate()
      try $0.notify(32768, isProtected: true, counter: 2)
    },
  ]

  /// EAP-Success and EAP-Failure in every state (RFC 3748, 4.2; RFC 4187, 6.2).
  static let ends: [Rule] = [
    Rule("success first", .silence(.unexpectedSuccess)) { try $0.send([3, 0, 0, 4]) },
    Rule("success after AKA-Identity", .silence(.unexpectedSuccess)) {
      try $0.identify(.anyIdentityRequest)
      try $0.send([3, 1, 0, 4])
    },
    Rule("success after AUTS", .silence(.unexpectedSuccess), cards: 1) {
      try $0.challenge(card: .isOutOfStep)
      try $0.send([3, 1, 0, 4])
    },
    Rule("success after a reject", .silence(.unexpectedSuccess), cards: 1) {
      try $0.challenge(card: .refuses)
      try $0.send([3, 1, 0, 4])
    },
    Rule("success after AT_MAC was wrong", .silence(.unexpectedSuccess), cards: 1) {
      try $0.challenge(card: .hasOtherKeys)
      try $0.send([3, 1, 0, 4])
    },
    Rule("success after the answer", .end(.success), cards: 1) {
      try $0.challenge()
      try $0.send([3, 1, 0, 4])
    },
    Rule("success after the answer", .akaPrime, .end(.success), cards: 1) {
      try $0.challenge()
      try $0.send([3, 1, 0, 4])
    },
    Rule("success with another identifier", .silence(.otherIdentifier), cards: 1) {
      try $0.challenge()
      try $0.send([3, 2, 0, 4])
    },
    Rule("success ahead of the notification that was agreed", .silence(.unexpectedSuccess), cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.resultIndication) }
      try $0.send([3, 1, 0, 4])
    },
    Rule("success after that notification", .end(.success), cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.resultIndication) }
      try $0.notify(32768, isProtected: true)
      try $0.send([3, 2, 0, 4])
    },
    Rule("success after a notification of failure", .silence(.unexpectedSuccess), cards: 1) {
      try $0.challenge()
      try $0.notify(1031, isProtected: true)
      try $0.send([3, 2, 0, 4])
    },
    Rule("success after failure", .silence(.unexpectedSuccess), cards: 1) {
      try $0.challenge()
      try $0.send([4, 1, 0, 4])
      try $0.send([3, 1, 0, 4])
    },
    Rule("the notification that was agreed, after an early success", protectedNotification, cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.resultIndication) }
      try $0.send([3, 1, 0, 4])
      try $0.notify(32768, isProtected: true)
    },
    Rule("failure first", .end(.failure)) { try $0.send([4, 0, 0, 4]) },
    Rule("failure with any identifier", .end(.failure), cards: 1) {
      try $0.challenge()
      try $0.send([4, 77, 0, 4])
    },
    Rule("failure after AKA-Identity", .end(.failure)) {
      try $0.identify(.anyIdentityRequest)
      try $0.send([4, 1, 0, 4])
    },
    Rule("failure after AUTS", .end(.failure), cards: 1) {
      try $0.challenge(card: .isOutOfStep)
      try $0.send([4, 1, 0, 4])
    },
    Rule("failure after a reject", .end(.failure), cards: 1) {
      try $0.challenge(card: .refuses)
      try $0.send([4, 1, 0, 4])
    },
    Rule("failure after a notification", .end(.failure)) {
      try $0.notify(16384)
      try $0.send([4, 1, 0, 4])
    },
    Rule("failure after success", .end(.failure), cards: 1) {
      try $0.challenge()
      try $0.send([3, 1, 0, 4])
      try $0.send([4, 1, 0, 4])
    },
    Rule("a challenge after failure", .clientError(.unexpected(.challenge))) {
      try $0.send([4, 0, 0, 4])
      try $0.challenge()
    },
    Rule("a challenge after success", .clientError(.unexpected(.challenge)), cards: 1) {
      try $0.challenge()
      try $0.send([3, 1, 0, 4])
      try $0.challenge(sequence: 0x21)
    },
    Rule("a notification after success", .clientError(.unexpected(.notification)), cards: 1) {
      try $0.challenge()
      try $0.send([3, 1, 0, 4])
      try $0.notify(16384)
    },
  ]
}

import OperatorSimulator

/// A call that does not go as it should.
package struct MIRACLFault: Hashable, Sendable {
  /// The calls of the platform.
  package enum Place: String, Hashable, Sendable, CaseIterable {
    case session, access, codeStatus
    case email, verification, confirmation, quickCode
    case registration, firstShare, secondShare
    /// The older registration.
    case user, signature, dvsRegister
    case pass1, pass2, authenticate
    case verify, keys, signingSession
    /// What older clients ask the page behind the QR code, and the API.
    case service, settings
  }

  /// What is wrong with an answer.
  package enum Twist: String, Hashable, Sendable, CaseIterable {
    /// The connection ends without an answer.
    case hangUp
    /// No answer comes.
    case silence
    /// A page for people, with status 200.
    case page
    /// `{}`.
    case empty
    /// 503 without a body.
    case unavailable
    /// The answer names another project.
    case otherProject
    /// The answer names another curve.
    case otherCurve
    /// The share is no point of the curve.
    case badShare
    /// The share is the other one with its sign turned.
    case cancellingShare
    /// The challenge is 0.
    case zeroChallenge
    /// The token is signed with a key that is not published.
    case otherKey

    /// The calls whose answers it can be about.
    package var places: Set<Place> {
      switch self {
      case .hangUp, .silence, .page, .empty, .unavailable: Set(Place.allCases)
      case .otherProject: [.registration, .confirmation, .user, .codeStatus]
      case .otherCurve: [.registration, .signature, .dvsRegister]
      case .badShare: [.firstShare, .secondShare, .signature, .dvsRegister]
      case .cancellingShare: [.secondShare]
      case .zeroChallenge: [.pass1]
      case .otherKey: [.authenticate, .verify]
      }
    }
  }

  /// What is answered.
  package enum Answer: Hashable, Sendable {
    /// An error with this code, written as it is.
    case error(String, status: Int)
    case twist(Twist)
  }

  package var place: Place
  package var answer: Answer
  /// Whose call; nil for everybody's.
  package var userID: String?
  /// How many calls go well before.
  package var skip = 0
  /// How many calls are met; nil for all.
  package var times: Int?

  package init(_ place: Place, _ answer: Answer) {
    self.place = place
    self.answer = answer
  }

  /// Reads an answer as scenarios and words to services have it: the word of a twist that this call can have, or an error's code.
  ///
  /// - Parameter status: of the error.
  package static func answer(_ word: String, status: Int = 400, at place: Place) -> Answer? {
    guard let twist = Twist(rawValue: word) else {
      let isCode = !word.isEmpty && word.utf8.allSatisfy { (0x41...0x5a).contains($0) || $0 == 0x5f }
      return isCode ? .error(word, status: status) : nil
    }
    return twist.places.contains(place) ? .twist(twist) : nil
  }
}

import AuthCore
import JSONTree

/// The result of a sign-in or a refresh.
package struct SignedInUser: Hashable, Sendable {
  /// The user's id in the project.
  package var user: String?
  package var number: SubscriberNumber?
  package var idToken: Secret?
  package var refreshToken: Secret?
  /// Seconds for which the ID token is valid.
  package var expiresIn: Int?
  /// Nil if Firebase does not report it.
  package var isNew: Bool?
  /// Instead of tokens: proves the number, which belongs to another account.
  package var temporaryProof: Secret?
  /// Seconds for which the proof is valid.
  package var proofExpiresIn: Int?
  /// Instead of all this: what a later sign-in goes on with, because the message's code is missing.
  package var verificationID: Secret?

  init(unfinished id: Secret) { verificationID = id }

  /// Reads the answer of `signInWithPhoneNumber`.
  init(signIn answer: JSONValue) {
    idToken = answer["idToken"]?.string.map { Secret($0) }
    refreshToken = answer["refreshToken"]?.string.map { Secret($0) }
    expiresIn = answer["expiresIn"]?.integer
    isNew = answer["isNewUser"]?.looseBoolean
    temporaryProof = answer["temporaryProof"]?.string.map { Secret($0) }
    proofExpiresIn = answer["temporaryProofExpiresIn"]?.integer
    let claims = idToken.flatMap { IDToken($0) }
    user = answer["localId"]?.string ?? claims?.user
    number = answer["phoneNumber"]?.string.flatMap { try? SubscriberNumber($0) } ?? claims?.number
  }

  /// Reads the answer of the token service (RFC 6749, 5.1, with Firebase's own fields).
  init(refresh answer: JSONValue) {
    idToken = (answer["id_token"] ?? answer["access_token"])?.string.map { Secret($0) }
    refreshToken = answer["refresh_token"]?.string.map { Secret($0) }
    expiresIn = answer["expires_in"]?.integer
    let claims = idToken.flatMap { IDToken($0) }
    user = answer["user_id"]?.string ?? claims?.user
    number = claims?.number
  }
}

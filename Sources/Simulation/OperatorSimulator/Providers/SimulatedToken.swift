import Crypto
import JSONTree

/// A JWT that is signed by HS256 with a client's secret (RFC 7515).
package enum SimulatedToken {
  package static func sign(_ claims: [String: JSONValue], secret: String) -> String {
    let parts = [#"{"alg":"HS256","typ":"JWT"}"#, JSONValue.object(claims).text].map {
      Base64URL.encode(Array($0.utf8))
    }
    let text = parts.joined(separator: ".")
    return text + "." + Base64URL.encode(Array(code(text, secret)))
  }

  /// The claims of a token; nil where its signature is not the client's.
  package static func claims(_ token: String, secret: String) -> [String: JSONValue]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, Base64URL.encode(Array(code(parts[0] + "." + parts[1], secret))) == parts[2],
      let bytes = Base64URL.decode(parts[1]), case .object(let claims)? = JSONValue(parsing: bytes)
    else { return nil }
    return claims
  }

  private static func code(_ text: String, _ secret: String) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: Array(secret.utf8)))
  }

  /// 32 hexadecimal digits that stand for a text.
  package static func hash(_ text: String) -> String {
    SHA256.hash(data: Array(text.utf8)).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

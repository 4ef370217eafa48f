import FuzzSupport
import RedirectChain
import Web

/// First byte: seconds between the answers. Then a line with a URL, and `Set-Cookie` fields, one
/// each line.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzCookies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let step = Int64(input.byte())
  let line = input.line()
  guard let origin = (try? WebURL(line)) ?? (try? WebURL("https://a.b.example/c/d")) else { return 0 }
  var jar = CookieJar()
  var now: Int64 = 1_800_000_000
  while !input.isEmpty {
    jar.store([input.line()], from: origin, now: now)
    now += step
  }
  check(jar.header(for: origin, now: now)?.value)
  for elsewhere in [
    "https://elsewhere.test/", "http://elsewhere.test/c/d", "https://example/", "https://notb.example/",
  ] {
    guard let url = try? WebURL(elsewhere), !isWithin(origin.host, url.host) else { continue }
    promise(jar.header(for: url, now: now) == nil, "a cookie of \(origin.host) goes to \(url.host)")
  }
  return 0
}

private func isWithin(_ host: String, _ domain: String) -> Bool { host == domain || host.hasSuffix("." + domain) }

private func check(_ field: String?) {
  guard let field else { return }
  promise(field.utf8.count <= 16_384, "a Cookie field of \(field.utf8.count) bytes")
  promise(field.utf8.allSatisfy { $0 != 13 && $0 != 10 && $0 != 0 }, "a Cookie field with the end of a line in it")
}

import FuzzSupport
import RedirectChain
import Web

/// First line: the URL that answered. The rest: its `Location`.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzLocation(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let line = input.line()
  let base = (try? WebURL(line)) ?? (try? WebURL("https://a.example/b/c?d"))
  guard let base else { fatalError("the base URL is refused") }
  check(base)
  guard let target = try? LocationTarget(input.text, from: base) else { return 0 }
  switch target {
  case .web(let url): check(url)
  case .other(let scheme, _): promise(WebURL.Scheme(rawValue: scheme) == nil, "a web scheme passes for another one")
  }
  if let redirect = try? RedirectURI(input.text) { _ = "\(redirect)" }
  return 0
}

private func check(_ url: WebURL) {
  promise(!url.host.isEmpty, "a URL without a host")
  promise((1...65_535).contains(url.port), "port \(url.port)")
  promise(url.requestTarget.utf8.first == 0x2f, "a request target that does not begin with /")
  promise(
    (url.requestTarget + url.hostField).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f },
    "a request line with bytes that end or split it")
  promise(!url.host.utf8.contains { [0x2f, 0x3f, 0x23, 0x40, 0x5c].contains($0) }, "a host with a delimiter in it")
  let again = try? WebURL(url.text)
  promise(again == url, "a URL changes when it is written and read again")
}

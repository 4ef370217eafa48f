import Glibc

/// A browser without a window: it sends what browsers send to 127.0.0.1, a connection for each
/// request.
struct PageBrowser {
  /// What the page's button sends.
  struct Form {
    let visit: String
    let form: String
  }

  let port: Int

  /// Opens a link of a site.
  func open(_ path: String) throws(BenchmarkError) -> Form {
    let page = try send("GET \(path)", site: "cross-site")
    guard let visit = input("visit", in: page), let form = input("form", in: page) else {
      throw BenchmarkError("modemd-web shows no page to begin with: \(page)")
    }
    return Form(visit: visit, form: form)
  }

  /// Presses the button.
  ///
  /// - Returns: where the browser is led.
  func press(_ form: Form) throws(BenchmarkError) -> String {
    let body = "visit=\(form.visit)&form=\(form.form)"
    let answer = try send(
      "POST /begin", site: "same-origin",
      [
        "Origin: http://127.0.0.1:\(port)", "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: \(body.utf8.count)",
      ], body)
    guard let line = answer.split(separator: "\r\n").first(where: { $0.hasPrefix("Location: ") }) else {
      throw BenchmarkError("modemd-web does not begin: \(answer)")
    }
    return String(line.dropFirst("Location: ".count))
  }

  /// Asks as a page's script does by `fetch`, and reads the answer to its end.
  func fetch(_ number: String, _ provider: String?) throws(BenchmarkError) -> String {
    let provider = provider.map { ",\"provider\":\"\($0)\"" } ?? ""
    let body = #"{"id":1,"call":"verify","parameters":{"number":"\#(number)"\#(provider)}}"#
    return try exchange(
      [
        "POST /call HTTP/1.1", "Host: 127.0.0.1:\(port)", "Origin: \(WebService.origin)",
        "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty",
        "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
      ], body)
  }

  /// Loads another page of modemd-web's.
  func page(_ path: String) throws(BenchmarkError) -> String { try send("GET \(path)", site: "same-origin") }

  private func input(_ name: String, in page: String) -> String? {
    guard let mark = page.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
    return String(page[mark.upperBound...].prefix { $0 != "\"" })
  }

  private func send(
    _ line: String, site: String, _ fields: [String] = [], _ body: String = ""
  ) throws(BenchmarkError) -> String {
    let common = [
      "Host: 127.0.0.1:\(port)", "Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
    ]
    return try exchange(["\(line) HTTP/1.1"] + common + fields, body)
  }

  private func exchange(_ head: [String], _ body: String) throws(BenchmarkError) -> String {
    let request = head.joined(separator: "\r\n") + "\r\n\r\n" + body
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let result = withUnsafeBytes(of: &address) {
      connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    // A request is shorter than the socket's buffer.
    guard result == 0, Glibc.send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
      throw BenchmarkError("modemd-web cannot be reached: \(String(cString: strerror(errno)))")
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }
}

/// The pages. Their elements' ids are a promise: Docs/browser.md lists them.
enum Pages {
  typealias Attribute = Markup.Attribute

  /// What is asked, and the button that begins it.
  static func offer(_ visit: Visit, _ text: Text) -> [UInt8] {
    let backend = visit.address.backend
    let asked: Words =
      switch visit.ask {
      case .verify: .askVerify
      case .simChange: .askSimChange
      case .signIn: .askSignIn
      case .login: .askLogin
      }
    var content: [Markup] = [
      .element(.p, [.init(.id, "asked")], text(asked)), .element(.p, [.init(.id, "note")], text(.offerNote)),
      form(
        "consent", "/begin", visit, button: "continue", text(.proceed),
        [.element(.input, [.init(.type, "hidden"), .init(.name, "visit"), .init(.value, visit.key)])]),
      back(visit.address.returnAddress(), text),
    ]
    if backend.isConsentConfigured { content.append(script("/assets/consent.js")) }
    return document(
      text, text(.offerTitle), [], [.init(.consent, backend.isConsentConfigured ? "configured" : "click")], content)
  }

  /// The flow while it goes on.
  static func running(_ visit: Visit, _ text: Text) -> [UInt8] {
    let refresh = Markup.element(.meta, [.init(.httpEquiv, "refresh"), .init(.content, "3")])
    return document(
      text, text(.runningTitle), [.element(.noscript, [], [refresh])], following(visit, text),
      [
        status(visit.statusText(text), isLive: true), number(visit, text), steps(visit, text),
        cancel(visit, text), script("/assets/flow.js"),
      ].compactMap(\.self))
  }

  /// A question of modemd's.
  static func question(_ question: ModemQuestion, _ visit: Visit, _ text: Text) -> [UInt8] {
    let title: Words
    let label: String
    var errors: [String] = []
    var input: [Attribute] = [
      .init(.id, "value"), .init(.name, "value"), .init(.required), .init(.autofocus),
    ]
    switch question.what {
    case .code(let wasWrong, let attemptsLeft):
      (title, label) = (.codeTitle, text(.codeLabel))
      if wasWrong { errors.append(text(.codeWrong)) }
      if wasWrong, let attemptsLeft { errors.append(text(.codeAttempts, ["count": "\(attemptsLeft)"])) }
      input += [
        .init(.type, "text"), .init(.autocomplete, "one-time-code"), .init(.inputmode, "numeric"),
        .init(.maxlength, "16"),
      ]
    case .pin(let shortest, let longest):
      title = .pinTitle
      label = text(.pinLabel, ["shortest": "\(shortest)", "longest": "\(longest)"])
      input += [
        .init(.type, "password"), .init(.autocomplete, "off"), .init(.inputmode, "numeric"),
        .init(.minlength, "\(shortest)"), .init(.maxlength, "\(longest)"),
      ]
    }
    if !errors.isEmpty { input += [.init(.describedBy, "error"), .init(.isInvalid, "true")] }
    let entry: [Markup] = [
      .element(.label, [.init(.htmlFor, "value")], label), .element(.input, input),
    ]
    return document(
      text, text(title), [], following(visit, text),
      [
        question.purpose.map { .element(.p, [.init(.id, "purpose")], text(.purposeLine, ["purpose": $0])) },
        errors.isEmpty ? nil : alert(errors.joined(separator: " ")), number(visit, text),
        form("answer", "/flow/\(visit.key)/answer", visit, button: "send", text(.send), entry),
        steps(visit, text), cancel(visit, text), script("/assets/flow.js"),
      ].compactMap(\.self))
  }

  /// How the flow ended. If its backend knows, the browser is led back by itself.
  static func end(_ ending: Ending, _ visit: Visit, _ text: Text) -> [UInt8] {
    let here = "/flow/\(visit.key)/return"
    let refresh = Markup.element(.meta, [.init(.httpEquiv, "refresh"), .init(.content, "1; url=\(here)")])
    return document(
      text, text(ending.isAnswer ? .doneTitle : .failedTitle), ending.isReported ? [refresh] : [], [],
      [
        status(text(ending.words), isLive: false),
        ending.isReported ? .element(.p, [.init(.id, "going")], text(.goingBack)) : alert(text(.unreported)),
        steps(visit, text), back(here, text),
      ])
  }

  /// Why there is no flow.
  ///
  /// - Parameter address: where the backend's site goes on; nil if none is known.
  static func problem(_ words: Words, _ text: Text, back address: String?) -> [UInt8] {
    document(
      text, text(.problemTitle), [], [], [alert(text(words)), address.map { back($0, text) }].compactMap(\.self))
  }

  // MARK: - Parts

  static func document(
    _ text: Text, _ title: String, _ head: [Markup], _ page: [Attribute], _ content: [Markup]
  ) -> [UInt8] {
    let common: [Markup] = [
      .element(.meta, [.init(.charset, "utf-8")]),
      .element(.meta, [.init(.name, "viewport"), .init(.content, "width=device-width, initial-scale=1")]),
      .element(.meta, [.init(.name, "robots"), .init(.content, "noindex")]),
      .element(.title, [], title),
      .element(.link, [.init(.rel, "stylesheet"), .init(.href, "/assets/page.css")]),
    ]
    let main = Markup.element(
      .main, [.init(.id, "page")] + page, [.element(.h1, [.init(.id, "title")], title)] + content)
    return Markup.element(
      .html, [.init(.lang, text.language.rawValue)],
      [.element(.head, [], common + head), .element(.body, [], [main])]
    ).document
  }

  private static func following(_ visit: Visit, _ text: Text) -> [Attribute] {
    [
      .init(.here, "/flow/\(visit.key)"), .init(.news, "/flow/\(visit.key)/news"), .init(.number, "\(visit.page)"),
      .init(.lost, text(.lost)),
    ]
  }

  private static func status(_ text: String, isLive: Bool) -> Markup {
    .element(.p, [.init(.id, "status"), .init(.role, "status")] + (isLive ? [.init(.live, "polite")] : []), text)
  }

  private static func alert(_ text: String) -> Markup {
    .element(.p, [.init(.id, "error"), .init(.role, "alert")], text)
  }

  private static func number(_ visit: Visit, _ text: Text) -> Markup? {
    visit.maskedNumber.map { .element(.p, [.init(.id, "number")], text(.numberLine, ["number": $0])) }
  }

  private static func steps(_ visit: Visit, _ text: Text) -> Markup {
    .element(
      .ol, [.init(.id, "steps"), .init(.live, "polite")],
      visit.stepTexts(text).map { .element(.li, [], $0) })
  }

  private static func back(_ address: String, _ text: Text) -> Markup {
    .element(.p, [], [.element(.a, [.init(.id, "back"), .init(.href, address)], text(.back))])
  }

  private static func script(_ path: String) -> Markup { .element(.script, [.init(.src, path), .init(.defer)]) }

  private static func cancel(_ visit: Visit, _ text: Text) -> Markup {
    form("cancel", "/flow/\(visit.key)/cancel", visit, button: "stop", text(.cancel), [])
  }

  /// A form that only this page can send: it has the visit's own secret.
  private static func form(
    _ id: String, _ action: String, _ visit: Visit, button: String, _ label: String, _ content: [Markup]
  ) -> Markup {
    .element(
      .form, [.init(.id, id), .init(.method, "post"), .init(.action, action), .init(.autocomplete, "off")],
      content + [
        .element(.input, [.init(.type, "hidden"), .init(.name, "form"), .init(.value, visit.form)]),
        .element(.button, [.init(.id, button), .init(.type, "submit")], label),
      ])
  }
}

/// Writes the module with the methods of an interface, for callers that wait or for those that
/// await.
struct PythonMethodsModule {
  /// The two forms of the client.
  enum Form: String {
    case sync, async

    /// The folder of the form's modules, in the package.
    var folder: String { "_\(rawValue)" }
  }

  private let interface: InterfaceSyntax
  private let form: Form
  private var text = PythonText()

  static func source(of interface: InterfaceSyntax, form: Form) -> String {
    var module = PythonMethodsModule(interface: interface, form: form)
    module.write()
    return module.text.output
  }

  /// The name of the class with an interface's methods.
  static func className(_ interface: String, _ form: Form) -> String {
    (form == .async ? "Async" : "") + PythonNames.lastPart(interface) + "Methods"
  }

  private init(interface: InterfaceSyntax, form: Form) { (self.interface, self.form) = (interface, form) }

  private var module: String { PythonNames.variable(PythonNames.lastPart(interface.name)) }

  private mutating func write() {
    var body = self
    body.methods()
    let source = body.text.output
    text.documentation(["The methods of \(interface.name)."], otherwise: "")
    text.line("# Written by varlink-generate from \(interface.name).varlink.")
    text.line("# Change that file, then `make generate`.")
    text.line()
    text.line("from __future__ import annotations")
    text.line()
    if source.contains("asyncio.") { text.line("import asyncio") }
    if source.contains("socket.socket") { text.line("import socket") }
    let collections = ["Callable", "Mapping", "Sequence"].filter { source.contains("\($0)[") }
    if !collections.isEmpty { text.line("from collections.abc import \(collections.joined(separator: ", "))") }
    if source.contains("Any") { text.line("from typing import Any") }
    if source.contains("Any") || source.contains("asyncio.") || source.contains("socket.socket") || !collections.isEmpty
    {
      text.line()
    }
    text.line("from .. import \(module) as _types")
    if source.contains("_wire.") { text.line("from .. import _wire") }
    text.line("from .caller import \(caller)")
    if source.contains("\(stream)[") { text.line("from .stream import \(stream)") }
    text.line()
    text.line()
    for line in source.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { text.line(String(line)) }
  }

  private var caller: String { form == .async ? "AsyncCaller" : "Caller" }
  private var stream: String { form == .async ? "AsyncStream" : "Stream" }

  private mutating func methods() {
    text.line("class \(Self.className(interface.name, form)):")
    text.indentation += 1
    text.documentation(interface.comment, otherwise: "The methods of \(interface.name).")
    text.line()
    text.line("def __init__(self, caller: \(caller)) -> None:")
    text.line("    self._caller = caller")
    for case .method(let name, let comment, let parameters, let reply) in interface.members {
      let method = PythonMethod(name, comment, parameters, reply, in: interface)
      if method.hasOutcome {
        flow(method)
        replies(method, named: PythonNames.variable(name) + "_replies")
      } else if method.streams {
        replies(method, named: PythonNames.variable(name))
      } else {
        switch method.carriage {
        case .none: call(method)
        case .descriptor(let field):
          carrying(method, "take_socket", ["\"\(PythonNames.variable(field))\""], "socket.socket")
        case .stream:
          let stream = form == .async ? "asyncio.StreamReader, asyncio.StreamWriter" : "socket.socket"
          carrying(method, "open_stream", [], stream)
        }
      }
    }
    text.indentation -= 1
  }

  // MARK: The three forms of a method

  private mutating func call(_ method: PythonMethod) {
    head(
      (form == .async ? "async " : "") + "def \(PythonNames.variable(method.name))(", method, listeners: [],
      result: "_types.\(method.name)Reply")
    documentation(method.comment, method, listeners: [])
    arguments(
      "return \(form == .async ? "await " : "")self._caller.call(",
      ["_types.\(PythonNames.constant(method.name))"], method, after: ["timeout"])
    text.indentation -= 1
  }

  /// Two methods: one gives what comes with the reply, the other one the reply as well.
  private mutating func carrying(_ method: PythonMethod, _ way: String, _ before: [String], _ carried: String) {
    let name = PythonNames.variable(method.name)
    let (prefix, wait) = form == .async ? ("async ", "await ") : ("", "")
    let alone = carried.contains(", ") ? "tuple[\(carried)]" : carried
    let constant = "_types.\(PythonNames.constant(method.name))"
    head("\(prefix)def \(name)(", method, listeners: [], result: alone)
    documentation(method.comment, method, listeners: [])
    arguments(
      "\(carried.contains(", ") ? "_, reader, writer" : "_, taken") = \(wait)self._caller.\(way)(",
      [constant] + before, method, after: ["timeout"])
    text.line("return \(carried.contains(", ") ? "reader, writer" : "taken")")
    text.indentation -= 1
    head(
      "\(prefix)def \(name)_with_reply(", method, listeners: [],
      result: "tuple[_types.\(method.name)Reply, \(carried)]")
    documentation(["As `\(name)`, with the reply before it."], method, listeners: [])
    arguments("return \(wait)self._caller.\(way)(", [constant] + before, method, after: ["timeout"])
    text.indentation -= 1
  }

  private mutating func replies(_ method: PythonMethod, named name: String) {
    head("def \(name)(", method, listeners: [], result: "\(stream)[_types.\(method.name)Reply]")
    let summary =
      method.hasOutcome ? ["The replies of `\(PythonNames.variable(method.name))`, one by one."] : method.comment
    documentation(summary, method, listeners: [])
    arguments(
      "return self._caller.stream(", ["_types.\(PythonNames.constant(method.name))"], method, after: ["timeout"])
    text.indentation -= 1
  }

  private mutating func flow(_ method: PythonMethod) {
    var listeners: [(name: String, type: String, text: String)] = []
    if method.hasStep { listeners.append(("on_step", "Callable[[_types.Step], object]", "called with each step")) }
    if method.hasHop { listeners.append(("on_hop", "Callable[[_types.Hop], object]", "called with each hop")) }
    for answer in method.answers {
      listeners.append(
        (
          "on_\(PythonNames.variable(answer.word))",
          "_wire.\(form == .async ? "AsyncAsked" : "Asked")[_types.\(method.question)]",
          "called when the flow asks for it, and returns the \(answer.word); None ends the call"
        ))
    }
    listeners.append(("on_reply", "Callable[[_types.\(method.name)Reply], object]", "called with every reply"))
    head(
      (form == .async ? "async " : "") + "def \(PythonNames.variable(method.name))(", method, listeners: listeners,
      result: "_types.\(method.name)Result")
    documentation(method.comment, method, listeners: listeners)
    let told = [method.hasStep ? "\"step\": on_step" : nil, method.hasHop ? "\"hop\": on_hop" : nil].compactMap { $0 }
    let asked = method.answers.map { "\"\($0.word)\": on_\(PythonNames.variable($0.word))" }
    arguments(
      "return \(form == .async ? "await " : "")self._caller.run(", ["_types.\(PythonNames.constant(method.name))_FLOW"],
      method,
      after: [
        "{\(told.joined(separator: ", "))}", "{\(asked.joined(separator: ", "))}", "on_reply", "timeout",
      ])
    text.indentation -= 1
  }

  // MARK: Parts of a method

  private mutating func head(
    _ start: String, _ method: PythonMethod, listeners: [(name: String, type: String, text: String)], result: String
  ) {
    text.line()
    text.line(start)
    text.indentation += 1
    text.line("self,")
    let required = method.parameters.filter { !$0.isNullable }
    for field in required { text.line("\(PythonNames.variable(field.name)): \(type(field, of: method)),") }
    text.line("*,")
    for field in method.parameters where field.isNullable {
      text.line("\(PythonNames.variable(field.name)): \(type(field, of: method)) = None,")
    }
    for listener in listeners { text.line("\(listener.name): \(listener.type) | None = None,") }
    text.line("timeout: float | None = None,")
    text.indentation -= 1
    text.line(") -> \(result):")
    text.indentation += 1
  }

  private func type(_ field: InterfaceSyntax.Field, of method: PythonMethod) -> String {
    PythonTypes(place: .asked).annotation(
      field.type, nested: PythonNames.nestedType(field.name, of: "\(method.name)Parameters"), prefix: "_types.")
  }

  private mutating func documentation(
    _ comment: [String], _ method: PythonMethod, listeners: [(name: String, type: String, text: String)]
  ) {
    var items: [String] = []
    for field in method.parameters where !field.comment.isEmpty {
      items += item(PythonNames.variable(field.name), field.comment)
    }
    for listener in listeners { items += item(listener.name, [listener.text + "."]) }
    items += item("timeout", ["seconds for the whole call; None waits for as long as it takes."])
    text.documentation(comment, otherwise: "Calls `\(method.name)`.", further: [["Parameters:"] + items])
  }

  private func item(_ name: String, _ comment: [String]) -> [String] {
    let lines = PythonText.filled(["\(name):"] + comment, width: 100 - text.indentation * 4 - 6)
    return lines.enumerated().map { ($0 == 0 ? "  " : "    ") + $1 }
  }

  private mutating func arguments(_ head: String, _ before: [String], _ method: PythonMethod, after: [String]) {
    text.line(head)
    text.indentation += 1
    for argument in before { text.line(argument + ",") }
    text.list(
      "{", method.parameters.map { "\"\($0.name)\": \(PythonNames.variable($0.name))" }, "},")
    for argument in after { text.line(argument + ",") }
    text.indentation -= 1
    text.line(")")
  }
}

extension InterfaceSyntax.Field {
  fileprivate var isNullable: Bool {
    if case .nullable = type { true } else { false }
  }
}

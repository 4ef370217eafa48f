/// Writes the module with an interface's types, errors and methods' descriptions.
struct PythonTypesModule {
  private let interface: InterfaceSyntax
  private let homes: [TypeHome]
  private let asked: Set<String>
  private var text = PythonText()
  private var names: [String] = []

  static func source(of interface: InterfaceSyntax, homes: [TypeHome]) -> String {
    var module = PythonTypesModule(interface: interface, homes: homes, asked: interface.typesOfParametersOnly)
    module.write()
    return module.text.output
  }

  private init(interface: InterfaceSyntax, homes: [TypeHome], asked: Set<String>) {
    (self.interface, self.homes, self.asked) = (interface, homes, asked)
  }

  private mutating func write() {
    var body = self
    for member in interface.members { body.member(member) }
    names = body.names
    text.documentation(interface.comment, otherwise: "The interface \(interface.name).")
    text.line("# Written by varlink-generate from \(interface.name).varlink.")
    text.line("# Change that file, then `make generate`.")
    text.line()
    text.line("from __future__ import annotations")
    text.line()
    let source = body.text.output
    let collections = ["Mapping", "Sequence"].filter { source.contains("\($0)[") }
    if !collections.isEmpty { text.line("from collections.abc import \(collections.joined(separator: ", "))") }
    if source.contains("@dataclass(") { text.line("from dataclasses import dataclass") }
    let typing = ["Any", "ClassVar", "Literal"].filter {
      source.contains("\($0)[") || source.contains("Any") && $0 == "Any"
    }
    if !typing.isEmpty { text.line("from typing import \(typing.joined(separator: ", "))") }
    text.line()
    text.line("from . import _wire")
    let shared = sharedTypes
    for (module, types) in shared.sorted(by: { $0.key < $1.key }) {
      let names = types.sorted().joined(separator: ", ")
      let line = "from .\(module) import \(names)"
      if line.count <= 100 { text.line(line) } else { text.list("from .\(module) import (", types.sorted(), ")") }
      self.names += types
    }
    text.line()
    text.list("__all__ = [", Set(names).sorted().map { "\"\($0)\"" }, "]")
    for line in source.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { text.line(String(line)) }
  }

  /// The types that another interface's module has, by module.
  private var sharedTypes: [String: [String]] {
    var shared: [String: [String]] = [:]
    for case .type(let name, _, _) in interface.members {
      guard let home = homes.home(of: name, in: interface) else { continue }
      shared[PythonNames.variable(PythonNames.lastPart(home.interface.name)), default: []].append(name)
    }
    return shared
  }

  private mutating func member(_ member: InterfaceSyntax.Member) {
    switch member {
    case .type(let name, let comment, let type):
      guard homes.home(of: name, in: interface) == nil else { return }
      switch type {
      case .enum(let words): wordClass(name, comment, words, place: asked.contains(name) ? .asked : .told)
      case .struct(let fields):
        record(name, comment, fields, place: asked.contains(name) ? .asked : .told, base: Self.base(of: name))
      default: break
      }
    case .method(let name, let comment, let parameters, let reply):
      method(PythonMethod(name, comment, parameters, reply, in: interface), reply)
    case .error(let name, let comment, let fields): error(name, comment, fields)
    }
  }

  private static func base(of type: String) -> String { type == "Outcome" ? "_wire.OutcomeRecord" : "_wire.Record" }

  // MARK: Words

  private mutating func wordClass(_ name: String, _ comment: [String], _ words: [String], place: PythonTypes.Place) {
    names.append(name)
    text.line()
    text.line()
    switch place {
    case .asked:
      text.list("\(name) = Literal[", words.map { "\"\($0)\"" }, "]")
      text.documentation(comment, otherwise: "One of these words.")
    case .told:
      text.line("class \(name)(_wire.Word):")
      text.indentation += 1
      text.documentation(comment, otherwise: "A word; a later version of the service may have others.")
      text.line()
      for word in words { text.line("\(PythonNames.constant(word)) = _wire.Known(\"\(word)\")") }
      text.indentation -= 1
    }
  }

  // MARK: Records

  /// A struct, after the types of its fields that have no name of their own.
  private mutating func record(
    _ name: String, _ comment: [String], _ fields: [InterfaceSyntax.Field], place: PythonTypes.Place, base: String,
    of owner: String? = nil
  ) {
    nestedTypes(of: name, fields, place)
    names.append(name)
    text.line()
    text.line()
    text.line("@dataclass(frozen=True, slots=True, kw_only=True, repr=False)")
    text.line("class \(name)(\(base)):")
    text.indentation += 1
    text.documentation(comment, otherwise: "What `\(owner ?? name)` has.")
    constants(fields, of: owner ?? name)
    for field in fields {
      text.line()
      let type = PythonTypes(place: place).annotation(field.type, nested: PythonNames.nestedType(field.name, of: name))
      let value = if case .nullable = field.type { " = None" } else { "" }
      text.line("\(PythonNames.variable(field.name)): \(type)\(value)")
      if !field.comment.isEmpty { text.documentation(field.comment, otherwise: "") }
    }
    text.indentation -= 1
  }

  private mutating func nestedTypes(of name: String, _ fields: [InterfaceSyntax.Field], _ place: PythonTypes.Place) {
    for field in fields {
      let nested = PythonNames.nestedType(field.name, of: name)
      switch field.type.innermost {
      case .enum(let words): wordClass(nested, ["One of the values of `\(field.name)`."], words, place: place)
      case .struct(let inner):
        record(nested, ["The value of `\(field.name)`."], inner, place: place, base: "_wire.Record")
      default: break
      }
    }
  }

  private mutating func constants(_ fields: [InterfaceSyntax.Field], of type: String) {
    let irregular = fields.filter { PythonNames.wireName(ofVariable: PythonNames.variable($0.name)) != $0.name }
    if !irregular.isEmpty {
      text.line()
      text.list(
        "NAMES: ClassVar[Mapping[str, str]] = {",
        irregular.map { "\"\(PythonNames.variable($0.name))\": \"\($0.name)\"" }, "}")
    }
    let hidden = fields.filter { PersonalFields.contains($0, of: type) }
    if !hidden.isEmpty {
      if irregular.isEmpty { text.line() }
      text.list(
        "HIDDEN: ClassVar[frozenset[str]] = frozenset([", hidden.map { "\"\(PythonNames.variable($0.name))\"" }, "])")
    }
  }

  // MARK: Methods and errors

  private mutating func method(_ method: PythonMethod, _ reply: [InterfaceSyntax.Field]) {
    nestedTypes(of: "\(method.name)Parameters", method.parameters, .asked)
    record(
      "\(method.name)Reply", ["A reply of `\(method.name)`."], reply, place: .told, base: "_wire.Record",
      of: method.name)
    let constant = PythonNames.constant(method.name)
    if method.hasOutcome {
      names.append("\(method.name)Result")
      text.line()
      text.line()
      text.line("@dataclass(frozen=True, slots=True, kw_only=True, repr=False)")
      text.line("class \(method.name)Result(_wire.FlowResult, \(method.name)Reply):")
      text.indentation += 1
      text.documentation(["The last reply of `\(method.name)`, which has its outcome."], otherwise: "")
      text.line()
      text.line("outcome: Outcome")
      text.indentation -= 1
    }
    text.line()
    text.line()
    let name = "\"\(interface.name).\(method.name)\""
    text.list("\(constant) = _wire.Method(", [name, "\(method.name)Reply"], ")")
    guard method.hasOutcome else { return }
    let answers = method.answers.map { "\"\($0.word)\": \"\(interface.name).\($0.method)\"" }
    text.list(
      "\(constant)_FLOW = _wire.Flow(", [constant, "\(method.name)Result", "{\(answers.joined(separator: ", "))}"], ")")
  }

  private mutating func error(_ name: String, _ comment: [String], _ fields: [InterfaceSyntax.Field]) {
    nestedTypes(of: name, fields, .told)
    names.append(name)
    text.line()
    text.line()
    text.line("class \(name)(_wire.ServiceError):")
    text.indentation += 1
    text.documentation(comment, otherwise: "The error `\(name)`.")
    text.line()
    text.line("NAME = \"\(interface.name).\(name)\"")
    for field in fields { errorField(field, of: name) }
    text.indentation -= 1
  }

  /// A property: None if the service did not send the field.
  private mutating func errorField(_ field: InterfaceSyntax.Field, of error: String) {
    let plain = if case .nullable(let inner) = field.type { inner } else { field.type }
    let type = PythonTypes(place: .told).annotation(plain, nested: PythonNames.nestedType(field.name, of: error))
    text.line()
    text.line("@property")
    text.line("def \(PythonNames.errorProperty(field.name))(self) -> \(type) | None:")
    text.indentation += 1
    if !field.comment.isEmpty { text.documentation(field.comment, otherwise: "") }
    let call = if case .array = plain { "texts(\"\(field.name)\")" } else { "field(\"\(field.name)\", \(type))" }
    text.line("return self.\(call)")
    text.indentation -= 1
  }
}

/// Writes the client's generated modules for Python from the public interfaces, all at once.
///
/// A type that several interfaces declare alike is one class, in the module of the first of them.
/// An enum of replies becomes a kind of text, so that words of a later version are no error; one
/// that occurs only in parameters becomes a `Literal`.
public struct PythonGenerator {
  /// A generated file: its path in the package's folder, and its text.
  public struct File: Sendable {
    public let path: String
    public let text: String
  }

  /// The files for these interfaces.
  ///
  /// - Parameter texts: the complete descriptions; a type's home is the first that declares it.
  /// - Throws: `InterfaceSyntaxError`.
  public static func files(of texts: [String]) throws -> [File] {
    let interfaces = try texts.map { try InterfaceParser.parse($0) }
    let homes = interfaces.map { TypeHome($0) }
    var files: [File] = []
    for interface in interfaces {
      let module = PythonNames.variable(PythonNames.lastPart(interface.name))
      files.append(File(path: "\(module).py", text: PythonTypesModule.source(of: interface, homes: homes)))
      for form in [PythonMethodsModule.Form.sync, .async] {
        files.append(
          File(
            path: "\(form.folder)/\(module).py", text: PythonMethodsModule.source(of: interface, form: form)))
      }
    }
    for form in [PythonMethodsModule.Form.sync, .async] {
      files.append(File(path: "\(form.folder)/interfaces.py", text: Self.interfaces(interfaces, form)))
    }
    return files
  }

  /// The class that has the methods of every interface under the interface's name.
  private static func interfaces(_ interfaces: [InterfaceSyntax], _ form: PythonMethodsModule.Form) -> String {
    var text = PythonText()
    let names = interfaces.map { interface in
      let module = PythonNames.variable(PythonNames.lastPart(interface.name))
      return (module: module, name: PythonMethodsModule.className(interface.name, form), comment: interface.comment)
    }
    let prefix = form == .async ? "Async" : ""
    text.documentation(["All interfaces of the service."], otherwise: "")
    text.line("# Written by varlink-generate from the interfaces: change those, then `make generate`.")
    text.line()
    text.line("from .caller import \(prefix)Caller")
    for name in names.sorted(by: { $0.module < $1.module }) { text.line("from .\(name.module) import \(name.name)") }
    text.line()
    text.line()
    text.line("class \(prefix)Interfaces:")
    text.indentation += 1
    text.documentation(["The methods of each interface, under its name."], otherwise: "")
    text.line()
    text.line("def __init__(self, caller: \(prefix)Caller) -> None:")
    text.indentation += 1
    for name in names { text.line("self.\(name.module) = \(name.name)(caller)") }
    return text.output
  }
}

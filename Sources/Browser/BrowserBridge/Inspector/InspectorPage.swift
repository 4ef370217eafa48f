/// The inspector's pages. Their elements' ids are a promise: Docs/browser.md lists them.
enum InspectorPage {
  static func view(_ view: InspectorView, _ session: InspectorDoor.Session, _ text: Text) -> [UInt8] {
    let refresh = Markup.element(.meta, [.init(.httpEquiv, "refresh"), .init(.content, "5")])
    return Pages.document(
      text, text(.inspectTitle), [.element(.noscript, [], [refresh])],
      [.init(.here, "/inspect"), .init(.news, "/inspect/news"), .init(.lost, text(.lost))],
      [
        .element(.p, [.init(.id, "status"), .init(.role, "status"), .init(.live, "polite")], text(.inspectLive)),
        .element(.div, [.init(.id, "view")], view.sections.flatMap(section)),
        .element(
          .form, [.init(.id, "end"), .init(.method, "post"), .init(.action, "/inspect/end")],
          [
            .element(.input, [.init(.type, "hidden"), .init(.name, "form"), .init(.value, session.form)]),
            .element(.button, [.init(.id, "stop"), .init(.type, "submit")], text(.inspectEnd)),
          ]), .element(.script, [.init(.src, "/assets/inspect.js"), .init(.defer)]),
      ])
  }

  /// For whoever has no session: it does not say why.
  static func closed(_ text: Text) -> [UInt8] {
    Pages.document(
      text, text(.inspectTitle), [], [],
      [.element(.p, [.init(.id, "error"), .init(.role, "alert")], text(.inspectClosed))])
  }

  private static func section(_ section: InspectorView.Section) -> [Markup] {
    let rows = section.rows.map { row in
      Markup.element(
        .tr, [], [.element(.th, [.init(.scope, "row")], row[0]), .element(.td, [], row.count > 1 ? row[1] : "")])
    }
    return [.element(.h2, [], section.title), .element(.table, [], [.element(.tbody, [], rows)])]
  }
}

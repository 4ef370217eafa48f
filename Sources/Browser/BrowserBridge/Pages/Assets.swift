/// The scripts and the style of the pages. They are the same for everybody and know nothing.
enum Assets {
  /// Presses the button of a page whose consent the configuration has given.
  static let consent = """
    "use strict";
    document.getElementById("consent").requestSubmit();

    """

  /// Follows a flow, and shows the page anew when it has become another one. Without this script
  /// the page loads itself every few seconds.
  static let flow = """
    "use strict";
    const page = document.getElementById("page");
    const steps = document.getElementById("steps");
    const status = document.getElementById("status");
    let isOver = false;

    function show(news) {
      if (String(news.page) !== page.dataset.page) {
        isOver = true;
        location.replace(page.dataset.here);
        return;
      }
      if (status) status.textContent = news.status;
      for (const text of news.steps.slice(steps.children.length)) {
        const item = document.createElement("li");
        item.textContent = text;
        steps.append(item);
      }
    }

    async function follow() {
      const answer = await fetch(page.dataset.news, { cache: "no-store" });
      if (!answer.ok) {
        isOver = true;
        location.replace(page.dataset.here);
        return;
      }
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      while (!isOver) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\\n");
        rest = lines.pop();
        for (const line of lines) if (!isOver) show(JSON.parse(line));
      }
    }

    async function goOn() {
      while (!isOver) {
        try {
          await follow();
        } catch {
          if (status) status.textContent = page.dataset.lost;
        }
        if (!isOver) await new Promise((resume) => setTimeout(resume, 1000));
      }
    }

    goOn();

    """

  /// Shows the inspector's sections as they change.
  static let inspector = """
    "use strict";
    const page = document.getElementById("page");
    const view = document.getElementById("view");
    const status = document.getElementById("status");

    function cell(kind, text) {
      const element = document.createElement(kind);
      element.textContent = text;
      if (kind === "th") element.scope = "row";
      return element;
    }

    function show(news) {
      if (status.textContent !== news.status) status.textContent = news.status;
      const parts = [];
      for (const section of news.sections) {
        const body = document.createElement("tbody");
        for (const [name, value] of section.rows) {
          const row = document.createElement("tr");
          row.append(cell("th", name), cell("td", value ?? ""));
          body.append(row);
        }
        const table = document.createElement("table");
        table.append(body);
        parts.push(cell("h2", section.title), table);
      }
      view.replaceChildren(...parts);
    }

    async function follow() {
      const answer = await fetch(page.dataset.news, { cache: "no-store" });
      if (answer.status === 403) return location.replace(page.dataset.here);
      if (!answer.ok) throw new Error(String(answer.status));
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      while (true) {
        const { value, done } = await reader.read();
        if (done) return;
        const lines = (rest + value).split("\\n");
        rest = lines.pop();
        if (lines.length > 0) show(JSON.parse(lines.at(-1)));
      }
    }

    async function goOn() {
      while (true) {
        try {
          await follow();
        } catch {
          status.textContent = page.dataset.lost;
        }
        await new Promise((resume) => setTimeout(resume, 1000));
      }
    }

    goOn();

    """

  static let style = """
    :root { color-scheme: light dark; font: 112.5%/1.5 system-ui, sans-serif; }
    body { margin: 0; color: #16181d; background: #f4f5f7; }
    main { box-sizing: border-box; max-width: 40rem; margin: 2rem auto; padding: 1.5rem; background: #fff;
      border: 1px solid #5b6270; border-radius: 0.5rem; overflow-wrap: anywhere; }
    h1 { margin-top: 0; font-size: 1.5rem; line-height: 1.25; }
    label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
    input { box-sizing: border-box; width: 100%; max-width: 20rem; padding: 0.6rem; font: inherit; color: inherit;
      background: transparent; border: 2px solid #5b6270; border-radius: 0.25rem; letter-spacing: 0.1em; }
    button { min-height: 2.75rem; padding: 0.5rem 1.25rem; margin: 0.75rem 0.75rem 0 0; font: inherit;
      border: 2px solid #0b57d0; border-radius: 0.25rem; background: #0b57d0; color: #fff; cursor: pointer; }
    #cancel button { background: transparent; color: inherit; border-color: #5b6270; }
    a { color: #0b57d0; }
    form { display: inline; }
    form#answer { display: block; }
    #error { color: #b3261e; font-weight: 600; }
    h2 { font-size: 1.15rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.75rem 0.2rem 0; }
    th { font-weight: 600; min-width: 8rem; }
    :focus-visible { outline: 3px solid #0b57d0; outline-offset: 3px; }
    @media (prefers-color-scheme: dark) {
      body { color: #e8eaed; background: #16181d; }
      main { background: #22252b; border-color: #9aa0ab; }
      button { background: #a8c7fa; border-color: #a8c7fa; color: #062e6f; }
      input { border-color: #9aa0ab; }
      a { color: #a8c7fa; }
      #error { color: #f2b8b5; }
      :focus-visible { outline-color: #a8c7fa; }
    }
    @media (max-width: 30rem) { main { margin: 0; border: 0; border-radius: 0; } button { width: 100%; margin-right: 0; } }

    """
}

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

    // A service that is about to end would leave the browser with an error of its own.
    async function leave() {
      await fetch(page.dataset.news, { cache: "no-store" });
      isOver = true;
      location.replace(page.dataset.here);
    }

    function show(news) {
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
        for (const news of lines.map((line) => JSON.parse(line))) {
          if (String(news.page) !== page.dataset.page) return leave();
          show(news);
        }
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

  /// Nothing is loaded for it: the chip before the title is drawn of gradients.
  static let style = """
    :root { color-scheme: light dark; font: 112.5%/1.5 system-ui, sans-serif;
      --ground: #eef1f5; --card: #fff; --ink: #16181d; --line: #d3d9e2; --edge: #5b6270; --main: #0b57d0;
      --on-main: #fff; --bad: #b3261e; }
    body { margin: 0; color: var(--ink); background: var(--ground); }
    main { box-sizing: border-box; max-width: 40rem; margin: 3rem auto; padding: 2rem; background: var(--card);
      border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 0.5rem 2rem #10204018;
      overflow-wrap: anywhere; }
    main::before { content: ""; display: block; width: 2.75rem; height: 2.1rem; margin-bottom: 1.1rem;
      border-radius: 0.45rem; background: linear-gradient(90deg, transparent 30%, #8a6a14 30% 33%, transparent 33% 67%,
      #8a6a14 67% 70%, transparent 70%), linear-gradient(transparent 47%, #8a6a14 47% 52%, transparent 52%), #e2b93b; }
    h1 { margin: 0 0 0.75rem; font-size: 1.65rem; line-height: 1.2; letter-spacing: -0.01em; }
    p { margin: 0 0 1rem; }
    label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
    input { box-sizing: border-box; width: 100%; max-width: 20rem; padding: 0.7rem 0.9rem; font: inherit;
      font-size: 1.25rem; color: inherit; background: transparent; border: 2px solid var(--edge);
      border-radius: 0.6rem; letter-spacing: 0.1em; }
    button { min-height: 3rem; padding: 0.6rem 1.6rem; margin: 0.75rem 0.75rem 0 0; font: inherit; font-weight: 600;
      border: 2px solid var(--main); border-radius: 0.6rem; background: var(--main); color: var(--on-main);
      cursor: pointer; }
    #cancel button { background: transparent; color: inherit; border-color: var(--edge); }
    a { color: var(--main); }
    form { display: inline; }
    form#answer { display: block; }
    form#consent + p { margin: 1.25rem 0 0; }
    #error { padding: 0.7rem 1rem; border-left: 0.3rem solid var(--bad); border-radius: 0.3rem; font-weight: 600;
      background: color-mix(in srgb, var(--bad) 9%, transparent); }
    #page[data-news] #status::after { content: ""; display: block; height: 0.4rem; margin-top: 0.9rem;
      border-radius: 0.2rem; background: linear-gradient(var(--main), var(--main)) 0 / 35% 100% no-repeat var(--line);
      animation: along 1.4s infinite alternate ease-in-out; }
    @keyframes along { to { background-position: 100% 0; } }
    #steps { list-style: none; margin: 0 0 1rem; padding: 0; }
    #steps li { position: relative; padding: 0.2rem 0 0.2rem 1.6rem; }
    #steps li::before { content: ""; position: absolute; left: 0.1rem; top: 0.6rem; width: 0.7rem; height: 0.7rem;
      border-radius: 50%; background: var(--main); }
    :focus-visible { outline: 3px solid var(--main); outline-offset: 3px; }
    @media (prefers-reduced-motion: reduce) { #page[data-news] #status::after { animation: none; } }
    h2 { font-size: 1.15rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.75rem 0.2rem 0; }
    th { font-weight: 600; min-width: 8rem; }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #16181d; --card: #22252b; --ink: #e8eaed; --line: #3b404a; --edge: #9aa0ab; --main: #a8c7fa;
        --on-main: #062e6f; --bad: #f2b8b5; }
    }
    @media (max-width: 30rem) { main { margin: 0; border: 0; border-radius: 0; box-shadow: none; padding: 1.5rem; }
      button { width: 100%; margin-right: 0; } }

    """
}

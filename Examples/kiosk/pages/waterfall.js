// The steps of a flow as bars on a line of time, and as rows of a table.

const space = "http://www.w3.org/2000/svg";

function make(name, attributes, text) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** A round number of milliseconds, so that three to six lines divide the time. */
function pace(end) {
  const rough = end / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
}

/**
 * @param {number} width In CSS pixels, so that texts keep their size on a narrow or enlarged page.
 * @param {(word: string, values?: object) => string} say The page's words.
 */
export function waterfall(steps, width, say) {
  const isNarrow = width < 560;
  const [row, bar, names] = isNarrow ? [54, 26, 0] : [34, 7, 210];
  const end = Math.max(1, ...steps.map((step) => step.start + step.milliseconds));
  const height = steps.length * row + 30;
  const scale = (width - names - 70) / end;
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "chart-title" });
  svg.append(make("title", { id: "chart-title" }, say("chart", { count: steps.length, time: Math.round(end) })));
  for (let time = 0; time <= end; time += pace(end)) {
    const x = names + time * scale;
    svg.append(make("line", { x1: x, x2: x, y1: 0, y2: height - 22, class: "grid" }));
    svg.append(make("text", { x: Math.max(x, 8), y: height - 6, class: "scale" }, `${Math.round(time)}`));
  }
  steps.forEach((step, index) => {
    const y = index * row;
    const x = names + step.start * scale;
    const length = Math.max(3, step.milliseconds * scale);
    svg.append(make("text", { x: 0, y: y + (isNarrow ? 18 : 21), class: "name" }, step.name));
    const kind = `lane-${step.lane}${step.failed ? " failed" : ""}`;
    svg.append(make("rect", { x, y: y + bar, width: length, height: 20, rx: 4, class: kind }));
    svg.append(make("text", { x: x + length + 6, y: y + bar + 14, class: "time" }, `${Math.round(step.milliseconds)} ms`));
  });
  return svg;
}

export function rows(steps, say) {
  return steps.map((step) => {
    const line = document.createElement("tr");
    const cells = [step.name, say(step.lane), `${Math.round(step.start)} ms`, `${Math.round(step.milliseconds)} ms`];
    cells.forEach((text, index) => {
      const cell = document.createElement(index ? "td" : "th");
      if (!index) cell.scope = "row";
      if (index > 1) cell.className = "figure";
      cell.textContent = text;
      line.append(cell);
    });
    return line;
  });
}

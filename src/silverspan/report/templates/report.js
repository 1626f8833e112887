"use strict";
// Without scripts the tables are complete; with them they sort and filter.
const number = cell => parseFloat(cell.textContent.replaceAll(",", ""));
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows], isText = rows.every(row => isNaN(number(row.cells[column])) || column === 0);
      const key = row => isText ? row.cells[column].textContent.trim() : number(row.cells[column]);
      // What has no number stands last either way.
      const order = (a, b) => isText ? a.localeCompare(b) : isNaN(a) || isNaN(b) ? (isNaN(a) - isNaN(b)) * (down ? -1 : 1) : a - b;
      rows.sort((a, b) => (down ? -1 : 1) * order(key(a), key(b))).forEach(row => body.append(row));
    });
  });
  if (!table.dataset.filter) continue;
  const bar = document.createElement("div"), label = document.createElement("label");
  const input = document.createElement("input"), output = document.createElement("output");
  bar.className = "filter";
  input.type = "search";
  input.setAttribute("aria-label", table.dataset.filter);
  input.placeholder = table.dataset.filter;
  label.append(input);
  bar.append(label, output);
  table.closest(".filtered").prepend(bar);
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    let shown = 0;
    for (const row of body.rows) {
      const text = row.textContent + " " + [...row.querySelectorAll("[title]")].map(each => each.title).join(" ");
      row.hidden = !text.toLowerCase().includes(wanted);
      shown += !row.hidden;
    }
    output.textContent = wanted ? `${shown} of ${body.rows.length} rows` : "";
  });
}

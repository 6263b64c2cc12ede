for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0], rows = [...body.rows];
  const number = text => { const hit = text.replaceAll(",", "").replaceAll("\u2212", "-").match(/-?\d+(\.\d+)?(e-?\d+)?/i); return hit ? Number(hit[0]) : NaN; };
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending", turn = up ? 1 : -1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const text = row => row.cells[at].textContent.trim();
      const named = at === 0;
      const compare = (a, b) => {
        const x = number(text(a)), y = number(text(b));
        if (named || (isNaN(x) && isNaN(y))) return turn * text(a).localeCompare(text(b), undefined, {numeric: true});
        return isNaN(x) ? 1 : isNaN(y) ? -1 : turn * (x - y);
      };
      body.append(...[...rows].sort(compare));
    });
  });
}

// Remembers the reader's choice of light or dark.
const shade = document.getElementById("shade");
if (shade) {
  const kept = matchMedia("(prefers-color-scheme: dark)").matches ? "justesse-light" : "justesse-dark";
  try { shade.checked = localStorage.getItem(kept) === "yes"; } catch { /* no storage: the choice lasts for this page */ }
  shade.addEventListener("change", () => { try { localStorage.setItem(kept, shade.checked ? "yes" : "no"); } catch { /* as above */ } });
}

// Draw a policy: points and the table of weights follow each other, and the ranking follows both.
"use strict";
const svg = document.getElementById("curve"), line = document.getElementById("line");
const points = [...svg.querySelectorAll("circle")];
const inputs = [...document.querySelectorAll('#table input[name="w"]')], shares = [...document.querySelectorAll("#table .share")];
const names = [...document.querySelectorAll("#table tbody th")].map(cell => cell.textContent);
const top_ = Number(svg.dataset.top), bottom = Number(svg.dataset.bottom);
const live = svg.dataset.live ? JSON.parse(svg.dataset.live) : null;
const percent = value => `${(100 * value).toFixed(1)} %`;
let highest = 100;
document.body.classList.add("scripted"); svg.classList.add("drawable");

const weights = () => inputs.map(input => Math.max(0, Number(input.value) || 0));

function draw(first) {
  const now = weights(), total = now.reduce((sum, each) => sum + each, 0);
  highest = Math.max(100, ...now);
  document.getElementById("highest").textContent = Math.round(highest);
  points.forEach((point, at) => {
    point.setAttribute("cy", top_ + (bottom - top_) * (1 - now[at] / highest));
    point.setAttribute("aria-valuenow", Math.round(now[at])); point.setAttribute("aria-valuemax", Math.round(highest));
    point.setAttribute("aria-valuetext", total ? `${Math.round(now[at])}, ${percent(now[at] / total)} of the whole` : "0");
    shares[at].textContent = total ? percent(now[at] / total) : "–";
  });
  line.setAttribute("points", points.map(point => `${point.getAttribute("cx")},${point.getAttribute("cy")}`).join(" "));
  if (live && first !== true) rank(now, total);
}

// one unit is one pixel, so that points and names have the same size on every screen; only as many names as there is room for
function layOut() {
  const width = Math.max(280, svg.clientWidth || 720), left = width < 500 ? 48 : Number(svg.dataset.left), right = Number(svg.dataset.right);
  const step = (width - left - right) / Math.max(points.length - 1, 1);
  svg.setAttribute("viewBox", `0 0 ${width} ${svg.viewBox.baseVal.height}`);
  for (const each of svg.querySelectorAll(".across")) { each.setAttribute("x1", left); each.setAttribute("x2", width - right); }
  for (const each of svg.querySelectorAll("text[text-anchor=end]")) each.setAttribute("x", left - 18);
  document.getElementById("below").setAttribute("x", (left + width - right) / 2);
  points.forEach((point, at) => {
    point.setAttribute("cx", points.length > 1 ? left + at * step : (left + width - right) / 2);
    point.setAttribute("r", Math.min(matchMedia("(pointer: coarse)").matches ? 13 : 9, Math.max(4, step * 0.48)));
  });
  const room = 7.5 * Math.max(...names.map(name => Math.min(name.length, 16))) + 14, every = Math.max(1, Math.ceil(room / step));
  for (const each of svg.querySelectorAll("text.period")) each.remove();
  points.forEach((point, at) => {
    if ((points.length - 1 - at) % every) return; // the latest period always has its name
    const name = document.createElementNS(svg.namespaceURI, "text");
    name.setAttribute("class", "period"); name.setAttribute("text-anchor", "middle");
    name.setAttribute("x", point.getAttribute("cx")); name.setAttribute("y", bottom + 27);
    name.textContent = names[at].length > 16 ? `${names[at].slice(0, 15)}…` : names[at];
    svg.append(name);
  });
}

// the smallest change of one weight, as a ratio, that puts two systems level
function turn(part, gaps) {
  const parts = part.map((weight, at) => weight * gaps[at]), sum = parts.reduce((all, each) => all + each, 0);
  let best = null;
  parts.forEach((each, at) => {
    const factor = -(sum - each) / each;
    if (each && sum && factor >= 1e-6 && factor <= 1e6 && (!best || Math.abs(Math.log(factor)) < Math.abs(Math.log(best.factor)))) best = {at, factor};
  });
  return best;
}

// where the order flips as the policy leans from past (-1) to recent (1)
function flips(gaps) {
  const places = [];
  let before = 0, level = null;
  for (let step = -200; step <= 200; step++) {
    const value = gaps.reduce((sum, gap, at) => sum + Math.pow(2, (step / 200) * (at - gaps.length / 2)) * gap, 0);
    const sign = Math.abs(value) < 1e-12 ? 0 : Math.sign(value);
    const place = level === null ? step - 0.5 : level;
    if (sign && before && sign !== before) places.push(place === 0 ? "at uniform" : place < 0 ? "between past and uniform" : "between uniform and recent");
    if (sign) { before = sign; level = null; } else if (level === null) level = step;
  }
  return [...new Set(places)].join(", ") || "nowhere";
}

function rank(now, total) {
  const leader = document.getElementById("leader"), difference = document.getElementById("difference");
  if (!total) { leader.textContent = "Give at least one period a weight above 0."; return; }
  const part = now.map(weight => weight / total);
  const score = live.accuracy.map(row => row.reduce((sum, value, at) => sum + value * part[at], 0));
  const order = score.map((_, at) => at).sort((a, b) => score[b] - score[a] || a - b), first = order[0];
  const size = at => live.sizes[at].reduce((sum, n, place) => sum + (part[place] > 0 ? n : 0), 0).toLocaleString("en");
  leader.textContent = `${live.systems[first]}${order.length > 1 ? " leads" : ""}: accuracy ${percent(score[first])} (n = ${size(first)}).`;
  if (difference) difference.textContent = "Press “Show the effect” for the interval of the difference.";
  const rows = order.map(at => {
    const gaps = live.accuracy[first].map((value, place) => value - live.accuracy[at][place]);
    const change = at === first ? null : turn(part, gaps);
    const words = at === first ? "" : score[at] === score[first] ? `level with ${live.systems[first]}` : change ? `${names[change.at]} × ${Number(change.factor.toPrecision(3))}` : "no change of one weight does";
    const row = document.createElement("tr"), head = document.createElement("th");
    head.scope = "row"; head.textContent = live.systems[at]; row.append(head);
    for (const [name, text] of [["Accuracy", percent(score[at])], ["n", size(at)], ["Level with the first if", words], ["Order flips", at === first ? "" : flips(gaps)]]) {
      const cell = document.createElement("td"); cell.dataset.name = name; cell.textContent = text; row.append(cell);
    }
    return row;
  });
  document.querySelector("#ranks tbody").replaceChildren(...rows);
}

function set(at, value) { inputs[at].value = Number(Math.min(Math.max(value, 0), Math.max(highest, 100)).toPrecision(4)); draw(); }

points.forEach((point, at) => {
  point.setAttribute("tabindex", "0"); point.setAttribute("role", "slider"); point.setAttribute("aria-orientation", "vertical");
  point.setAttribute("aria-label", `Weight of ${names[at]}`); point.setAttribute("aria-valuemin", "0");
  point.addEventListener("pointerdown", event => { point.setPointerCapture(event.pointerId); point.dataset.held = "yes"; event.preventDefault(); point.focus(); });
  point.addEventListener("touchstart", event => event.preventDefault(), { passive: false }); // else the page scrolls under the finger
  point.addEventListener("pointermove", event => {
    if (!point.dataset.held) return;
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    set(at, highest * (bottom - place.y) / (bottom - top_));
  });
  for (const end of ["pointerup", "pointercancel"]) point.addEventListener(end, () => { delete point.dataset.held; });
  point.addEventListener("keydown", event => {
    const value = weights()[at], to = {ArrowUp: value + 1, ArrowDown: value - 1, PageUp: value + 10, PageDown: value - 10, Home: 0, End: highest}[event.key];
    const next = {ArrowLeft: at - 1, ArrowRight: at + 1}[event.key];
    if (to !== undefined) set(at, to); else if (next !== undefined) points[next]?.focus(); else return;
    event.preventDefault();
  });
});
inputs.forEach(input => input.addEventListener("input", () => draw()));
for (const preset of document.querySelectorAll(".presets a")) preset.addEventListener("click", event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  JSON.parse(preset.dataset.weights).forEach((weight, at) => { inputs[at].value = weight; });
  draw();
});
layOut(); draw(true);
addEventListener("resize", () => { layOut(); draw(true); });

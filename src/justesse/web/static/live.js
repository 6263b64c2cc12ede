// Shows the state of an audit as answers arrive.
"use strict";
const live = document.getElementById("live"), stale = document.getElementById("stale");
const source = new EventSource(`/audits/${encodeURIComponent(live.dataset.audit)}/events`);
source.onmessage = event => {
  const parts = new DOMParser().parseFromString(JSON.parse(event.data), "text/html").body.childNodes;
  live.replaceChildren(...parts);
  stale.hidden = true;
};
source.onerror = () => { stale.hidden = false; };
source.onopen = () => { stale.hidden = true; };

// Files may be dropped anywhere on the page: two at once, or one after the other.
"use strict";
const fields = [document.getElementById("incumbent"), document.getElementById("candidate")];
const body = document.body;
addEventListener("dragover", event => { event.preventDefault(); body.classList.add("dropping"); });
addEventListener("dragleave", event => { if (!event.relatedTarget) body.classList.remove("dropping"); });
addEventListener("drop", event => {
  event.preventDefault(); body.classList.remove("dropping");
  const own = fields.find(field => field.closest(".drop").contains(event.target));
  for (const file of event.dataTransfer.files) {
    const field = own && event.dataTransfer.files.length === 1 ? own : fields.find(each => !each.files.length);
    if (!field) break;
    const one = new DataTransfer(); one.items.add(file); field.files = one.files;
  }
});

// Before the first paint: what the player has set about the looks. A classic script, in the head.
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("dailydeal.settings")) ?? {};
  } catch {
    // Storage is switched off or damaged: the defaults do.
  }
  const { dataset } = document.documentElement;
  dataset.theme = ["light", "dark"].includes(chosen.theme) ? chosen.theme : "auto";
  dataset.deck = chosen.deck === "four" ? "four" : "two";
  dataset.hand = chosen.hand === "left" ? "left" : "right";
  dataset.motion = chosen.motion === "off" ? "off" : "auto";
  dataset.js = "";
  if (dataset.theme !== "auto") {
    // Both bars of the browser, whatever the system prefers.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.content = dataset.theme === "dark" ? "#192124" : "#ffffff";
    }
  }
})();

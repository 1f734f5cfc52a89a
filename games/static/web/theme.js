// Before the first paint: apply the player's chosen looks. A classic script, in the head.
(() => {
  /** @type {Partial<Record<"theme" | "deck" | "hand" | "motion", string>>} */
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("dailydeal.settings") ?? "{}") ?? {};
  } catch {
    // Storage is off or damaged: use the defaults.
  }
  const { dataset } = document.documentElement;
  dataset.theme = chosen.theme === "light" || chosen.theme === "dark" ? chosen.theme : "auto";
  dataset.deck = chosen.deck === "four" ? "four" : "two";
  dataset.hand = chosen.hand === "left" ? "left" : "right";
  dataset.motion = chosen.motion === "off" ? "off" : "auto";
  dataset.js = "";
  if (dataset.theme !== "auto") {
    // Both bars of the browser, whatever the system prefers.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      /** @type {HTMLMetaElement} */ (meta).content =
        dataset.theme === "dark" ? "#192124" : "#ffffff";
    }
  }
})();

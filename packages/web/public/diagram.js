/**
 * Runs in the frame of a diagram, which has no origin: it can read nothing of the page and reach nothing.
 *
 *   page ──{ script, source, theme }──▶ frame ──{ height } or { failed }──▶ page
 */
const drawn = document.getElementById("drawn")
let loading
let count = 0

window.addEventListener("message", async ({ source, data }) => {
  if (source !== window.parent) return
  try {
    loading ??= load(data.script)
    await loading
    document.documentElement.style.colorScheme = data.theme
    window.mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      theme: data.theme === "dark" ? "dark" : "neutral",
      // What a diagram may not change for itself.
      secure: ["secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "theme", "themeCSS", "fontFamily"],
      suppressErrorRendering: true,
      fontFamily: "system-ui, sans-serif",
    })
    const { svg } = await window.mermaid.render(`diagram-${++count}`, data.source)
    drawn.innerHTML = svg
    tell({ height: Math.ceil(drawn.getBoundingClientRect().height) })
  } catch {
    tell({ failed: true })
  }
})

new ResizeObserver(() => {
  if (drawn.childElementCount > 0) tell({ height: Math.ceil(drawn.getBoundingClientRect().height) })
}).observe(drawn)
tell({ ready: true })

function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.src = address
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })
}

/** The page checks which frame a message is from; there is no secret in it. */
function tell(message) {
  window.parent.postMessage(message, "*")
}

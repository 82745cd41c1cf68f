/** Watches every element and attribute that is ever added to a page, however briefly. */
import type { Page } from "playwright-core"

export type Watched = {
  /** Resolves when the conversation on the page changes, or after a short timeout if the change is invisible. */
  drawn(): Promise<void>
}

const UNSEEN_MS = 60

/** Call this before the page navigates. */
export async function watchElements(page: Page): Promise<Watched> {
  let tell = () => {}
  await page.exposeBinding("tellDrawn", () => tell())
  await page.addInitScript(startWatching)
  const drawn = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, UNSEEN_MS)
      tell = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return { drawn }
}

/** Forbidden elements and attributes found so far. */
export function badElements(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const seen = globalThis as unknown as { readonly badElements: readonly string[]; readonly taken?: unknown }
    return seen.taken === undefined ? seen.badElements : [...seen.badElements, "a script ran"]
  })
}

/**
 * Runs in the page. Only icons and formula glyphs may be drawings, and only a link may lead to another site. Elements of
 * formulas are checked like all others.
 */
function startWatching(): void {
  const bad: string[] = []
  const { tellDrawn } = globalThis as unknown as { tellDrawn(): void }
  Object.assign(globalThis, { badElements: bad })
  const forbidden = "script,iframe,frame,object,embed,style,link,meta,base,img,picture,source,video,audio,template"
  const note = (element: Element) => {
    if (element.closest("[role=log]") === null) return
    // The frame of a diagram has no origin, and its address is the page's own (MSG-18); diagrams.test.ts looks inside.
    if (element.matches('iframe[src="/diagram.html"][sandbox="allow-scripts"]:not([srcdoc], [allow])')) return
    if (element.matches(forbidden)) bad.push(`<${element.localName}>`)
    const isFormula = element.closest(".prose .katex") !== null
    if (element.localName === "math" && !isFormula) bad.push("<math> of a message")
    if (element.localName === "svg" && !element.classList.contains("lucide") && !isFormula)
      bad.push("<svg> of a message")
    if (element.localName === "input" && element.getAttribute("type") !== "checkbox") bad.push("<input>")
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "srcdoc" || name === "src" || name === "autofocus")
        bad.push(`${name}=${value}`)
      if (/href|action|formaction/.test(name) && !/^(https?:|mailto:|#)/i.test(value)) bad.push(`${name}=${value}`)
      if (name === "style" && /url\(|expression|import/i.test(value)) bad.push(`${name}=${value}`)
    }
  }
  const noteAll = (node: Node) => {
    if (!(node instanceof Element)) return
    note(node)
    for (const inner of node.querySelectorAll("*")) note(inner)
  }
  new MutationObserver((changes) => {
    tellDrawn()
    for (const change of changes) {
      if (change.type === "attributes") noteAll(change.target)
      for (const node of change.addedNodes) noteAll(node)
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}

import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Plugin } from "vite"

/** Fonts of formulas and the largest chunks are loaded when they are needed, and need the network. */
const LEFT_OUT = /\.(?:woff2|map)$|^assets\/(?:Formulas|Mermaid|mermaid|katex)/
const STATIC = ["/", "/theme.js", "/manifest.webmanifest", "/icon-192.png", "/icon-512.png"]

/** Writes `sw.js`, with the files of this version and their hash. */
export function serviceWorker(): Plugin {
  return {
    name: "parlor-service-worker",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const built = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !LEFT_OUT.test(name))
      const files = [...STATIC, ...built.map((name) => `/${name}`).sort()]
      const source = fileText("worker/sw.js")
      const version = createHash("sha256")
        .update(JSON.stringify([files, source, fileText("index.html"), fileText("public/theme.js")]))
        .digest("hex")
      const head = `const VERSION = ${JSON.stringify(version.slice(0, 16))}\nconst FILES = ${JSON.stringify(files)}\n`
      this.emitFile({ type: "asset", fileName: "sw.js", source: `${head}\n${source}` })
    },
  }
}

function fileText(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8")
}

import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defaultClientConditions, defineConfig, type Plugin } from "vite"
import { compressed } from "./compressed.ts"

const server = process.env.PARLOR_URL ?? "http://127.0.0.1:4141"
/** The server checks Host and Origin exactly (SEC-3), so the proxy speaks as a page that the server itself served. */
const asOwnPage = { target: server, changeOrigin: true, headers: { origin: server } }

/** Of each font of formulas only the form that every browser of today takes. */
const smallFonts: Plugin = {
  name: "small-fonts",
  enforce: "pre",
  transform: (code, id) =>
    /katex[^/]*\.css/.test(id)
      ? code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, "")
      : undefined,
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [smallFonts, react(), tailwindcss(), compressed()],
  resolve: {
    conditions: ["@parlor/source", ...defaultClientConditions],
    // What streamdown brings and the page never uses.
    alias: Object.fromEntries(
      Object.entries({
        "rehype-raw": "noHtmlParser.ts",
        "rehype-harden": "noHardening.ts",
        "tailwind-merge": "noClassMerging.ts",
        marked: "noLexer.ts",
        "mdast-util-to-markdown": "noPrinter.ts",
      }).map(([name, file]) => [
        name,
        fileURLToPath(new URL(`src/features/markdown/without/${file}`, import.meta.url)),
      ]),
    ),
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The policy of the page allows no data: scripts or fonts; every asset is a file with its hash in the name.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // scripts/measure-page.mjs watches what a first load weighs.
    chunkSizeWarningLimit: 700,
    // The page trusts what its own server answers and parses nothing, so the schemas of the protocol stay out of it.
  },
  server: { host: "127.0.0.1", proxy: { "/v1": asOwnPage, "/healthz": asOwnPage } },
})

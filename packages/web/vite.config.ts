import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defaultClientConditions, defineConfig, type Plugin } from "vite"
import { compressed } from "./compressed.ts"
import { serviceWorker } from "./serviceWorker.ts"

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

/**
 * What the page and nearly all of its lazy parts use, in one file. Otherwise most of these modules become files of their
 * own, and the headers of such a small file weigh more than what is in it. Only what every first load needs anyway.
 */
const BASE = [
  /\/node_modules\/(?:react|react-dom|scheduler)\//,
  /\/lucide-react\/dist\/esm\/(?:shared\/.*|\w+|icons\/(?:arrow-up-right|image))\.mjs$/,
  /\/protocol\/src\/(?:composer\/limits|limits|errors|constants)\.ts$/,
  /\/web\/src\/(?:texts\/texts|ui\/cx|features\/(?:keep\/keep|place\/place|tab\/budgets))\.ts$/,
]
const inBase = (id: string): boolean => BASE.some((part) => part.test(id))

/**
 * The page, and with `--mode shared` the page of share links. Two builds: with common chunks, each would load more files,
 * and the page would load parts that only the other one needs.
 */
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [smallFonts, react(), tailwindcss(), ...(mode === "shared" ? [] : [serviceWorker()]), compressed()],
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
        "markdown-table": "noTablePrinter.ts",
        "@ungap/structured-clone": "noCloning.ts",
      }).map(([name, file]) => [
        name,
        fileURLToPath(new URL(`src/features/markdown/without/${file}`, import.meta.url)),
      ]),
    ),
  },
  build: {
    outDir: "dist",
    emptyOutDir: mode !== "shared",
    // The policy of the page allows no data: scripts or fonts; every asset is a file with its hash in the name.
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: fileURLToPath(new URL(mode === "shared" ? "shared.html" : "index.html", import.meta.url)),
      output: mode === "shared" ? {} : { codeSplitting: { groups: [{ name: "base", test: inBase }] } },
    },
    modulePreload: { polyfill: false },
    // scripts/measure-page.mjs watches what a first load weighs.
    chunkSizeWarningLimit: 700,
    // The page trusts what its own server answers and parses nothing, so the schemas of the protocol stay out of it.
  },
  server: { host: "127.0.0.1", proxy: { "/v1": asOwnPage, "/healthz": asOwnPage } },
}))

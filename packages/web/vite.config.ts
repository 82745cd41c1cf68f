import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defaultClientConditions, defineConfig } from "vite"
import { compressed } from "./compressed.ts"

const server = process.env.PARLOR_URL ?? "http://127.0.0.1:4141"
/** The server checks Host and Origin exactly (SEC-3), so the proxy speaks as a page that the server itself served. */
const asOwnPage = { target: server, changeOrigin: true, headers: { origin: server } }

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), tailwindcss(), compressed()],
  resolve: {
    conditions: ["@parlor/source", ...defaultClientConditions],
    alias: { "rehype-raw": fileURLToPath(new URL("src/features/markdown/noHtmlParser.ts", import.meta.url)) },
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The policy of the page allows no data: scripts or fonts; every asset is a file with its hash in the name.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The page trusts what its own server answers and parses nothing, so the schemas of the protocol stay out of it.
  },
  server: { host: "127.0.0.1", proxy: { "/v1": asOwnPage, "/healthz": asOwnPage } },
})

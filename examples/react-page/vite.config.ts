import { readFileSync } from "node:fs"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

const target = process.env.PARLOR_URL ?? "http://127.0.0.1:4141"
const token = process.env.PARLOR_TOKEN ?? readFileSync(".parlor/token", "utf8").trim()

export default defineConfig({
  plugins: [react()],
  server: {
    host: "127.0.0.1",
    // The proxy adds the token, so it never reaches the browser. The server checks the origin of every request.
    proxy: { "/v1": { target, changeOrigin: true, headers: { origin: target, authorization: `Bearer ${token}` } } },
  },
})

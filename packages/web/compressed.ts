import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { extname, join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { Plugin } from "vite"

const WORTH_IT = new Set([".js", ".css", ".html", ".svg", ".json", ".webmanifest"])
const SMALLEST = 1_024

/** Beside every file of the built page, the same compressed: the server hands out what is there and compresses nothing. */
export function compressed(): Plugin {
  return {
    name: "parlor-compressed",
    apply: "build",
    writeBundle: ({ dir }) => {
      if (dir === undefined) return
      for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (!WORTH_IT.has(extname(name))) continue
        const path = join(dir, name)
        // By the build before this one.
        if (existsSync(`${path}.gz`)) continue
        const bytes = readFileSync(path)
        if (bytes.length < SMALLEST) continue
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, sized(bytes.length)))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

function sized(bytes: number) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes } }
}

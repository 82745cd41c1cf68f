import { readFileSync } from "node:fs"

/** From the manifest, which is beside the folder of this file in the sources, when compiled and when bundled. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
  return manifest.version
}

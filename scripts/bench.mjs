/** `node scripts/bench.mjs`: its options are in bench/main.ts. Builds what is missing first. */
import { join } from "node:path"
import { ensureBuilt, ensureInstalled, root, run, script } from "./setup.mjs"

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: true })
  await run(process.execPath, ["--import", "tsx", join(root, "scripts", "bench", "main.ts"), ...process.argv.slice(2)])
})

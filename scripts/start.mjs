/** `npm start`: installs and builds what is missing, then serves in the same process. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { ensureBuilt, ensureInstalled, root, script } from "./setup.mjs"

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: true })
  const { run } = await import(pathToFileURL(join(root, "packages", "cli", "bundle", "index.js")).href)
  process.exitCode = await run([process.execPath, "parlor", "serve"])
})

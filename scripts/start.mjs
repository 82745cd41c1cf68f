/** `npm start`: installs and builds what is missing, then serves in the same process. */
import module from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { cache, ensureBuilt, ensureInstalled, root, script } from "./setup.mjs"

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: true })
  // Node 22.1 and newer can keep compiled code for the next start. The types are those of Node 20.
  const { enableCompileCache } = /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (module)
  enableCompileCache?.(join(cache, "code"))
  const { run } = await import(pathToFileURL(join(root, "packages", "cli", "bundle", "index.js")).href)
  process.exitCode = await run([process.execPath, "parlor", "serve"])
})

/** `npm run build`: builds the packages and the page if their sources changed. */
import { ensureBuilt, ensureInstalled, script } from "./setup.mjs"

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: true })
})

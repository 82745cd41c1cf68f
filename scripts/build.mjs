/** `npm run build`: the packages and the page, when their sources changed. */
import { ensureBuilt, ensureInstalled, script } from "./setup.mjs"

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: true })
})

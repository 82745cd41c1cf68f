/** Mistakes in the config of the server, as notes (CLI-8). */
import type { Parlor } from "@parlor/client"
import { plain } from "./plain.ts"
import type { Terminal } from "./terminal.ts"

/** Whoever may not change the config gets none, and so does everybody while the server cannot answer. */
export async function noteConfig(parlor: Pick<Parlor, "config">, terminal: Pick<Terminal, "note">): Promise<void> {
  const { problems } = await parlor.config().catch(() => ({ problems: [] }))
  for (const { kind, detail } of problems)
    terminal.note(
      plain(kind === "error" ? `Config not loaded, the previous agents stay: ${detail}` : `Config: ${detail}`),
    )
}

/** `parlor people delete`: a person with everything of theirs (SEC-25). */
import { plain } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type DeletePersonOptions = ConnectionOptions & { readonly terminal: Terminal; readonly confirm: string }

export async function deletePerson(person: string, options: DeletePersonOptions): Promise<number> {
  const { terminal, confirm } = options
  if (confirm !== person) {
    terminal.note(plain(`Nothing was deleted: --confirm has to be ${person}.`))
    return 1
  }
  await connect(options).deletePerson(person, { confirm })
  terminal.note(plain(`${person} was deleted, with everything of theirs.`))
  return 0
}

/** `parlor people delete`: deletes a person and all their data (SEC-25). */
import { plain } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type DeletePersonOptions = ConnectionOptions & { readonly terminal: Terminal; readonly confirm: string }

export async function deletePerson(person: string, options: DeletePersonOptions): Promise<number> {
  const { terminal, confirm } = options
  if (confirm !== person) {
    terminal.note(plain(`Nothing was deleted. To confirm, pass --confirm ${person}.`))
    return 1
  }
  await connect(options).deletePerson(person, { confirm })
  terminal.note(plain(`Deleted ${person} and all their data.`))
  return 0
}

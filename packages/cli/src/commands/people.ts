/** `parlor people …`: lists people (OPS-20), and deletes a person with all their data (SEC-25). */
import { sizeWords } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

type ListOptions = ConnectionOptions & { readonly terminal: Terminal; readonly json?: boolean }

export async function listPeople(options: ListOptions): Promise<number> {
  const { terminal, json } = options
  const parlor = connect(options)
  for (let after: string | null | undefined; after !== null; ) {
    const page = await parlor.people(after === undefined ? {} : { after })
    for (const one of page.people) {
      const { person, conversations, bytes } = one
      const line = `${person}  ${conversations} ${conversations === 1 ? "conversation" : "conversations"}  ${sizeWords(bytes)}`
      await terminal.out(`${json ? plainJson(JSON.stringify(one)) : plain(line)}\n`)
    }
    after = page.after
  }
  return 0
}

export type DeletePersonOptions = ConnectionOptions & { readonly terminal: Terminal; readonly confirm: string }

export async function deletePerson(person: string, options: DeletePersonOptions): Promise<number> {
  const { terminal, confirm } = options
  if (confirm !== person) throw new Complaint(plain(`Nothing was deleted. To confirm, pass --confirm ${person}.`))
  await connect(options).deletePerson(person, { confirm })
  await terminal.report(plain(`Deleted ${person} and all their data.`), { deleted: person })
  return 0
}

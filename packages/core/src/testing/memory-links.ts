/** Linked names in memory. */
import { Refusal } from "@parlor/protocol"
import type { Belongings, Linked, LinkRecord, LinksOf } from "../ports/links.ts"
import { compareText } from "./memory-rows.ts"

export class MemoryLinks {
  readonly #links = new Map<string, LinkRecord>()

  of({ person, prefix }: LinksOf, { after, limit }: { readonly after: string; readonly limit: number }): LinkRecord[] {
    const isWanted = (link: LinkRecord) =>
      link.person === person || (prefix !== undefined && link.person.startsWith(prefix))
    const found = [...this.#links.values()].filter((link) => compareText(link.name, after) > 0 && isWanted(link))
    return found.sort((a, b) => compareText(a.name, b.name)).slice(0, limit)
  }

  get(name: string): LinkRecord | undefined {
    return this.#links.get(name)
  }

  /** Names whose person is being deleted, and when the deletion was done. */
  readonly deletions = new Map<string, number | undefined>()

  /** Called before anything is created that belongs to a person. */
  checkOwner(person: string): void {
    this.checkDeleting(person)
    const link = this.#links.get(person)
    if (link !== undefined) throw new Refusal("person.linked", `${person} is another name of ${link.person}.`)
  }

  checkDeleting(person: string): void {
    if (this.deletions.has(person)) throw new Refusal("person.deleting", `${person} is being deleted.`)
  }

  /** Undefined: it can be linked. */
  refusal({ name, person }: LinkRecord, most: number, has: Belongings): Linked | undefined {
    const known = this.#links.get(name)
    if (known !== undefined)
      return known.person === person ? { ok: true, link: known } : { ok: false, why: "taken", person: known.person }
    const above = this.#links.get(person)
    if (above !== undefined) return { ok: false, why: "is-name", person: above.person }
    const all = [...this.#links.values()]
    if (all.some((link) => link.person === name)) return { ok: false, why: "has-names" }
    if (Object.values(has).some((count) => count > 0)) return { ok: false, why: "not-empty", has }
    return all.filter((link) => link.person === person).length >= most ? { ok: false, why: "full" } : undefined
  }

  add(record: LinkRecord): void {
    this.#links.set(record.name, record)
  }

  dropPerson(person: string): void {
    for (const link of [...this.#links.values()])
      if (link.person === person || link.name === person) this.#links.delete(link.name)
  }

  /** False if that name is not linked to that person. */
  delete({ name, person }: Pick<LinkRecord, "name" | "person">): boolean {
    return this.#links.get(name)?.person === person && this.#links.delete(name)
  }
}

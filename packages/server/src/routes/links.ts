/** Linked names (ADR-4). The caller must be allowed to act for both names: as with keys, nobody can grant what they do not have. */
import type { Belongings, Linked, LinkRecord, LinksOf } from "@parlor/core"
import { type LinkView, limits, Refusal, unreachable } from "@parlor/protocol"
import { type Caller, LOCAL_PERSON } from "../auth/caller.ts"
import { checkSpeaksFor, speaksFor } from "../auth/names.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { listLinks, linkName, unlinkName }

async function listLinks({ store }: Services, { caller, query }: Call<"listLinks">) {
  const { person, cursor = "", limit } = query
  if (person !== undefined) checkSpeaksFor(caller, person, "person")
  const found = await store.links.list(person === undefined ? ownOf(caller) : { person }, {
    after: cursor,
    limit: limit + 1,
  })
  const links: LinkView[] = found.slice(0, limit).map((link) => ({ ...link }))
  return { links, cursor: found.length > limit ? (links.at(-1)?.name ?? null) : null }
}

async function linkName({ store, clock, names, followers }: Services, { caller, body }: Call<"linkName">) {
  const { name, person = caller.person, dropAttachments } = body
  checkSpeaksFor(caller, name, "/name")
  checkSpeaksFor(caller, person, "/person")
  if (name === LOCAL_PERSON)
    throw new Refusal("request.invalid", "The owner of this server cannot be a linked name.", "/name")
  if (name === person) throw new Refusal("request.invalid", "A name cannot be linked to itself.", "/name")
  const now = clock.now()
  const audit = { at: now, person: caller.person, act: "name.linked", subject: subjectOf({ name, person }) }
  const options = { most: limits.linkedNames, dropAttachments }
  const linked = await store.links.link({ name, person, createdAt: now }, options, audit)
  if (!linked.ok) throw refusal({ name, person }, linked)
  names.forget()
  followers.cutName(name)
  return linked.link
}

async function unlinkName({ store, clock, names, followers }: Services, { caller, query }: Call<"unlinkName">) {
  const [link] = await store.links.named([query.name])
  const audit = { at: clock.now(), person: caller.person, act: "name.unlinked" }
  const isGone =
    link !== undefined &&
    speaksFor(caller, link.person) &&
    (await store.links.unlink(link, { ...audit, subject: subjectOf(link) }))
  if (!isGone) throw new Refusal("link.unknown", `${JSON.stringify(query.name)} is not a linked name.`)
  names.forget()
  followers.cutName(query.name)
}

function ownOf({ person, isLocal, actFor }: Caller): LinksOf {
  if (isLocal) return { person, prefix: "" }
  return actFor === null ? { person } : { person, prefix: actFor.slice(0, -1) }
}

type Pair = Pick<LinkRecord, "name" | "person">

function subjectOf({ name, person }: Pair): string {
  return `${JSON.stringify(name)} of ${JSON.stringify(person)}`
}

function refusal(pair: Pair, refused: Extract<Linked, { ok: false }>): Refusal {
  const [name, person] = [JSON.stringify(pair.name), JSON.stringify(pair.person)]
  switch (refused.why) {
    case "taken":
      return new Refusal(
        "link.taken",
        `${name} is already linked to ${JSON.stringify(refused.person)}. Unlink it first.`,
      )
    case "is-name": {
      const above = JSON.stringify(refused.person)
      return new Refusal(
        "link.chained",
        `${person} is itself linked to ${above}. Link to that person instead.`,
        "/person",
      )
    }
    case "has-names":
      return new Refusal("link.chained", `${name} has linked names itself. Unlink those first.`, "/name")
    case "full":
      return new Refusal("link.full", `${person} already has ${limits.linkedNames} linked names, which is the maximum.`)
    case "not-empty":
      return new Refusal(
        "link.not-empty",
        `${name} has ${spoken(refused.has)} of its own. ${advice(refused.has, person)}`,
      )
    default:
      return unreachable(refused)
  }
}

function spoken(has: Belongings): string {
  const counts = (["conversations", "memories", "triggers", "keys", "attachments"] as const).filter(
    (what) => has[what] > 0,
  )
  return counts.map((what) => `${has[what]} ${has[what] === 1 ? SINGULAR[what] : what}`).join(", ")
}

const SINGULAR = {
  conversations: "conversation",
  memories: "memory",
  triggers: "trigger",
  keys: "key",
  attachments: "attachment",
} as const

/** Nothing is merged: data moves only when somebody exports and imports it. */
function advice({ attachments, keys, ...things }: Belongings, person: string): string {
  const ways = [
    ...(Object.values(things).some((count) => count > 0)
      ? [`Delete them, or export them and import them as ${person}.`]
      : []),
    ...(keys > 0 ? ["Revoke its keys."] : []),
    ...(attachments > 0 ? ["With dropAttachments, its attachments are deleted."] : []),
  ]
  return `${ways.join(" ")} Then link it.`
}

/**
 * Valid and unique names for the tools and prompts of servers. Pure.
 *
 * A name depends only on the names of the server and the tool, so it stays the same whatever else the server offers. A
 * name that has to be changed gets a part of its hash.
 */
import { createHash } from "node:crypto"
import { callName } from "@parlor/core"

const MAX_NAME = 64
const HASH_LENGTH = 8

export const LIST_RESOURCES = "list_resources"
export const READ_RESOURCE = "read_resource"
const OURS: ReadonlySet<string> = new Set([LIST_RESOURCES, READ_RESOURCE])

export function toolName(server: string, tool: string): string {
  const wanted = `${server}__${tool}`
  const fits = callName(wanted) === wanted && !OURS.has(tool)
  return fits ? wanted : `${callName(wanted).slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hashOf(tool)}`
}

/** The names of our own tools that read a server's resources. */
export function resourceToolName(server: string, tool: typeof LIST_RESOURCES | typeof READ_RESOURCE): string {
  return callName(`${server}__${tool}`)
}

/** Lowercase letters, digits and hyphens, like other slash commands. */
export function commandName(server: string, prompt: string): string {
  const slug = prompt
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
  const wanted = `${server}:${slug}`
  if (slug !== "" && slug === prompt && wanted.length <= MAX_NAME) return wanted
  if (slug === "") return `${server}:${hashOf(prompt)}`
  return `${wanted.slice(0, MAX_NAME - HASH_LENGTH - 1).replace(/-$/, "")}-${hashOf(prompt)}`
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH)
}

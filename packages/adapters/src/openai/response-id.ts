/**
 * Ids of the Responses API. An id encodes where its reply is, so that any server finds it without a table: agent, branch,
 * the message it answers, the position in the log to read from, and how it began. It does not include the person, who
 * is determined by the credential.
 */
import { agentName, branchName, limits } from "@parlor/protocol"
import { z } from "zod"

const PREFIX = "resp_"

const place = z.object({
  agent: agentName,
  branch: branchName,
  message: z.string().min(1).max(limits.nameLength),
  /** The number of the last event before it. */
  after: z.number().int().nonnegative(),
  /** In seconds. */
  created: z.number().int().nonnegative(),
  queued: z.boolean(),
  background: z.boolean(),
  /** Begins after this answered ask. */
  ask: z.string().max(limits.nameLength).optional(),
})
export type ResponsePlace = z.infer<typeof place>

const KEYS = ["agent", "branch", "message", "after", "created", "queued", "background", "ask"] as const

export function responseId(of: ResponsePlace): string {
  return PREFIX + toBase64Url(JSON.stringify(KEYS.map((key) => of[key] ?? null)))
}

/** Returns undefined for anything that is not one of our ids. */
export function parseResponseId(id: string): ResponsePlace | undefined {
  if (!id.startsWith(PREFIX)) return undefined
  try {
    const values: unknown = JSON.parse(fromBase64Url(id.slice(PREFIX.length)))
    if (!Array.isArray(values)) return undefined
    const entries = KEYS.flatMap((key, index) => (values[index] == null ? [] : [[key, values[index]] as const]))
    const parsed = place.safeParse(Object.fromEntries(entries))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

function toBase64Url(text: string): string {
  let bytes = ""
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
}

/** Names of agents, branches and people: compared exactly, percent-encoded in URLs, never slugged (ADR-5). */
import { z } from "zod"
import { limits } from "./limits.ts"
import { wellFormedText } from "./text.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is meant to match control characters.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

export const agentName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
    "An agent name has 1 to 64 characters: lowercase letters, digits, and hyphens that are not first or last.",
  )

/** The type of an inbox message: the same rule where an agent declares it and where a client sends it (CMP-23). */
export const messageType = z
  .string()
  .regex(
    /^[a-z][A-Za-z0-9_.:-]{0,63}$/,
    "A message type has 1 to 64 letters, digits and _ . : -, and begins with a lowercase letter.",
  )

export const branchName = wellFormedText
  .min(1)
  .max(limits.nameLength)
  .refine(
    (name) => !CONTROL.test(name) && !name.includes("/"),
    "A branch name cannot contain control characters or a slash.",
  )
  .refine(
    (name) => name === name.trim() && name !== "." && name !== "..",
    "A branch name cannot start or end with a space, and cannot be . or ..",
  )

export const personName = wellFormedText
  .min(1)
  .max(limits.personLength)
  .refine((name) => !CONTROL.test(name), "A person's name cannot contain control characters.")

/** A file name without its folder. */
export const fileName = wellFormedText
  .min(1)
  .max(limits.attachmentNameLength)
  .refine(
    (name) => !CONTROL.test(name) && !/[/\\]/.test(name),
    "A file name cannot contain control characters or a slash.",
  )

/** Who talks to whom. The person comes from the credential, never from a request's body (ADR-2). */
export type Address = { readonly agent: string; readonly person: string; readonly branch: string }

export function feedKey(address: { readonly agent: string; readonly branch: string }): string {
  return `${address.agent}/${address.branch}`
}

/** Names of agents, branches and people: compared exactly, encoded in addresses, never slugged (ADR-5). */
import { z } from "zod"
import { limits } from "./limits.ts"
import { wellFormedText } from "./text.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

export const agentName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, "An agent's name is 1 to 64 of a-z, 0-9 and inner hyphens.")

export const branchName = wellFormedText
  .min(1)
  .max(limits.nameLength)
  .refine(
    (name) => !CONTROL.test(name) && !name.includes("/"),
    "A branch's name has no control characters and no slash.",
  )
  .refine((name) => name === name.trim() && name !== "." && name !== "..", "That cannot be a branch's name.")

export const personName = wellFormedText
  .min(1)
  .max(limits.personLength)
  .refine((name) => !CONTROL.test(name), "A person's name has no control characters.")

/** What a file is called, without where it is. */
export const fileName = wellFormedText
  .min(1)
  .max(limits.attachmentNameLength)
  .refine((name) => !CONTROL.test(name) && !/[/\\]/.test(name), "A file's name has no control characters and no slash.")

/** Who talks to whom. The person comes from the credential, never from a request's body (ADR-2). */
export type Address = { readonly agent: string; readonly person: string; readonly branch: string }

export function feedKey(address: { readonly agent: string; readonly branch: string }): string {
  return `${address.agent}/${address.branch}`
}

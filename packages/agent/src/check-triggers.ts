/** Validates declared triggers with the schemas of the HTTP API. Errors name the trigger and the field. */
import { hookBody, limits, noticeBody, scheduleBody } from "@parlor/protocol"
import type { z } from "zod"
import { ConfigError } from "./config-error.ts"
import type { TriggerOptions } from "./trigger-options.ts"

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME = 48
const VARIABLE = /^[A-Za-z_]\w*$/

const KINDS = {
  schedules: { body: scheduleBody, isSigned: false },
  webhooks: { body: hookBody, isSigned: true },
  notices: { body: noticeBody, isSigned: true },
} as const

type Kind = keyof typeof KINDS
type BodyOf<K extends Kind> = z.output<(typeof KINDS)[K]["body"]>

/** A declared trigger as the API would get it, and what it is besides. */
export type CheckedTrigger<K extends Kind> = {
  readonly name: string
  readonly person: string
  readonly secretEnv: string
  readonly body: BodyOf<K>
}

export function checkTriggers(config: TriggerOptions): void {
  for (const kind of Object.keys(KINDS) as Kind[]) checkedTriggers(config, kind)
}

export function checkedTriggers<K extends Kind>(config: TriggerOptions, kind: K): readonly CheckedTrigger<K>[] {
  const all: unknown = config[kind] ?? {}
  if (!isRecord(all)) throw new ConfigError(`${kind}: must be an object of ${kind} by name.`)
  return Object.entries(all).map(([name, given]) => checked(kind, name, given))
}

function checked<K extends Kind>(kind: K, name: string, given: unknown): CheckedTrigger<K> {
  const wrong = (field: string, why: string) => new ConfigError(`${kind}.${name}${field}: ${why}`)
  if (!NAME.test(name) || name.length > MAX_NAME)
    throw wrong("", `a name has 1 to ${MAX_NAME} lowercase letters, digits and inner hyphens.`)
  if (!isRecord(given)) throw wrong("", "must be an object.")
  const { person = "me", secretEnv, ...rest } = given
  if (typeof person !== "string" || person === "" || person.length > limits.nameLength)
    throw wrong(".person", "must be the name of a person.")
  if ("name" in rest) throw wrong(".name", "unknown field. Its name is the key.")
  if (KINDS[kind].isSigned ? !isVariable(secretEnv) : secretEnv !== undefined)
    throw wrong(".secretEnv", KINDS[kind].isSigned ? "name the environment variable." : "unknown field.")
  const parsed = KINDS[kind].body.safeParse({ ...rest, name })
  if (!parsed.success) throw wrong(...explained(parsed.error))
  return { name, person, secretEnv: String(secretEnv ?? ""), body: parsed.data as BodyOf<K> }
}

/** A union fails in all its forms; the form that got furthest is the one that was meant. */
function explained(error: z.ZodError): readonly [field: string, why: string] {
  let [issue] = error.issues
  while (issue?.code === "invalid_union") {
    const forms = issue.errors.filter((issues) => issues.length > 0)
    const closest = forms.toSorted((a, b) => misfit(a) - misfit(b))[0]?.[0]
    if (closest === undefined) break
    issue = { ...closest, path: [...issue.path, ...closest.path] }
  }
  const field = (issue?.path ?? []).map((step) => `.${String(step)}`).join("")
  return [field, issue?.message ?? "is not valid."]
}

/** Unknown and missing fields say that another form was meant. */
function misfit(issues: readonly z.core.$ZodIssue[]): number {
  const isOther = ({ code, path }: z.core.$ZodIssue) => path.length <= 1 && code !== "invalid_union"
  return issues.filter(isOther).length
}

function isVariable(value: unknown): boolean {
  return typeof value === "string" && VARIABLE.test(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

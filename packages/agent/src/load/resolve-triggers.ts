/** Resolves the declared triggers into those that the server sets up: adds defaults, reads secrets. */
import type { DeclaredTriggers, Json } from "@parlor/core"
import type { Env } from "@parlor/models"
import { COMPOSER_INPUT } from "@parlor/protocol"
import { type CheckedTrigger, checkedTriggers } from "../check-triggers.ts"
import { ConfigError } from "../config-error.ts"
import type { Config } from "../define-config.ts"

/** A declared webhook's URL can be guessed, so its secret must be strong. */
const MIN_SECRET_BYTES = 16
const STANDARD_SECRET = /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/

/** `secretOf` returns the secret in an environment variable; tests need no real ones. */
export function resolveTriggers(config: Config, secretOf: (variable: string) => string | undefined): DeclaredTriggers {
  const schedules = checkedTriggers(config, "schedules").map(({ name, person, body }) => {
    const { agent, branch, when, missed } = body
    const input = "text" in body ? { type: COMPOSER_INPUT, payload: { source: body.text } } : body
    checkInput(config, `schedules.${name}`, agent, input.type)
    return { name, person, agent, branch, when, missed, type: input.type, payload: input.payload as Json }
  })
  const hooks = checkedTriggers(config, "webhooks").map((one) => {
    const { name, person, body } = one
    const { agent, branch, style, perMinute } = body
    const says = "template" in body ? { template: body.template, type: null } : { template: null, type: body.type }
    checkInput(config, `webhooks.${name}`, agent, says.type ?? COMPOSER_INPUT)
    const secret = checkedSecret(`webhooks.${name}`, one, secretOf, style)
    return { name, person, agent, branch, style, perMinute, ...says, secret }
  })
  const notices = checkedTriggers(config, "notices").map((one) => {
    const { name, person, body } = one
    if (body.agent !== null) checkInput(config, `notices.${name}`, body.agent, COMPOSER_INPUT)
    return { ...body, name, person, secret: checkedSecret(`notices.${name}`, one, secretOf, "standard") }
  })
  return { schedules, hooks, notices }
}

export function secretsIn(env: Env): (variable: string) => string | undefined {
  return (variable) => env[variable]?.trim() || undefined
}

function checkInput({ agents }: Config, place: string, name: string, type: string): void {
  const agent = agents.find((one) => one.name === name)
  if (agent === undefined) throw new ConfigError(`${place}.agent: there is no agent "${name}".`)
  if (type !== COMPOSER_INPUT && !Object.hasOwn(agent.inbox ?? {}, type))
    throw new ConfigError(`${place}.type: the inbox of "${name}" has no type "${type}".`)
}

function checkedSecret(
  place: string,
  { secretEnv }: Pick<CheckedTrigger<"webhooks">, "secretEnv">,
  secretOf: (variable: string) => string | undefined,
  style: "standard" | "github",
): string {
  const wrong = (why: string) => new ConfigError(`${place}.secretEnv: ${why}`)
  const secret = secretOf(secretEnv)
  if (secret === undefined) throw wrong(`the environment variable ${secretEnv} is not set.`)
  if (style === "standard" && !STANDARD_SECRET.test(secret))
    throw wrong(`${secretEnv} must be base64, with or without the prefix whsec_.`)
  const bytes = style === "standard" ? Buffer.from(secret.replace(/^whsec_/, ""), "base64") : Buffer.from(secret)
  if (bytes.length < MIN_SECRET_BYTES)
    throw wrong(`${secretEnv} is too short. Use at least ${MIN_SECRET_BYTES} random bytes.`)
  return secret
}

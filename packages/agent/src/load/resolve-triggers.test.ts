import { describe, expect, it } from "vitest"
import { z } from "zod"
import { ConfigError } from "../config-error.ts"
import { defineAgent } from "../define-agent.ts"
import { type Config, checkConfig, defineConfig } from "../define-config.ts"
import { resolveTriggers, secretsIn } from "./resolve-triggers.ts"

const agents = [defineAgent({ name: "desk", inbox: { order: z.object({ id: z.string() }) } })]
const env = { SECRET: "whsec_MDEyMzQ1Njc4OWFiY2RlZg==", SHORT: "whsec_c2hvcnQ=", WORDS: "a secret of sixteen" }
const load = (config: object) => resolveTriggers(checkConfig({ agents, ...config }), secretsIn(env))

describe("triggers of a config", () => {
  it("[TRG-11] are what the HTTP API would get, with their names, their person and their secrets", () => {
    const config = defineConfig({
      agents,
      schedules: {
        report: { agent: "desk", when: { cron: "0 9 * * 1-5", timeZone: "Europe/Berlin" }, text: "Report." },
      },
      webhooks: {
        github: { agent: "desk", style: "github", secretEnv: "WORDS", template: "{{body.action}}" },
        shop: { agent: "desk", type: "order", secretEnv: "SECRET", person: "ana", branch: "orders" },
      },
      notices: { ops: { url: "https://ops.test/", secretEnv: "SECRET" } },
    })
    expect(resolveTriggers(config, secretsIn(env))).toEqual({
      schedules: [
        {
          name: "report",
          person: "me",
          agent: "desk",
          branch: "main",
          when: { cron: "0 9 * * 1-5", timeZone: "Europe/Berlin" },
          missed: "once",
          type: "composer_input",
          payload: { source: "Report." },
        },
      ],
      hooks: [
        {
          ...{ name: "github", person: "me", agent: "desk", branch: "main", style: "github", perMinute: 60 },
          ...{ template: "{{body.action}}", type: null, secret: env.WORDS },
        },
        {
          ...{ name: "shop", person: "ana", agent: "desk", branch: "orders", style: "standard", perMinute: 60 },
          ...{ template: null, type: "order", secret: env.SECRET },
        },
      ],
      notices: [
        {
          ...{ name: "ops", person: "me", url: "https://ops.test/", agent: null },
          ...{ events: ["turn.finished", "ask.opened"], secret: env.SECRET },
        },
      ],
    })
  })

  const when = { everyMs: 3_600_000 }
  const hook = { agent: "desk", template: "x", secretEnv: "SECRET" }
  const wrong: readonly (readonly [string, Partial<Config> | object, RegExp])[] = [
    ["a list", { schedules: [] }, /^schedules: must be an object/],
    [
      "a bad name",
      { schedules: { "My Report": { agent: "desk", when, text: "x" } } },
      /^schedules\.My Report: a name has/,
    ],
    ["no message", { schedules: { a: { agent: "desk", when } } }, /^schedules\.a/],
    [
      "a bad time zone",
      { schedules: { a: { agent: "desk", when: { cron: "* * * * *", timeZone: "Mars" }, text: "x" } } },
      /^schedules\.a\.when\.timeZone: Unknown time zone/,
    ],
    ["a field too many", { schedules: { a: { agent: "desk", when, text: "x", every: 1 } } }, /^schedules\.a: .*every/],
    [
      "a name twice",
      { schedules: { a: { name: "b", agent: "desk", when, text: "x" } } },
      /^schedules\.a\.name: unknown field/,
    ],
    [
      "a secret where none is used",
      { schedules: { a: { agent: "desk", when, text: "x", secretEnv: "SECRET" } } },
      /^schedules\.a\.secretEnv: unknown/,
    ],
    [
      "an agent there is not",
      { schedules: { a: { agent: "nobody", when, text: "x" } } },
      /^schedules\.a\.agent: there is no agent "nobody"/,
    ],
    [
      "a type the agent has not",
      { webhooks: { a: { agent: "desk", type: "refund", secretEnv: "SECRET" } } },
      /^webhooks\.a\.type: the inbox of "desk" has no type "refund"/,
    ],
    [
      "no secret",
      { webhooks: { a: { agent: "desk", template: "x" } } },
      /^webhooks\.a\.secretEnv: name the environment variable/,
    ],
    [
      "a secret itself",
      { webhooks: { a: { ...hook, secretEnv: env.SECRET } } },
      /^webhooks\.a\.secretEnv: name the environment variable/,
    ],
    ["a variable that is not set", { webhooks: { a: { ...hook, secretEnv: "NONE" } } }, /NONE is not set/],
    ["a short secret", { webhooks: { a: { ...hook, secretEnv: "SHORT" } } }, /SHORT is too short/],
    ["words for a standard secret", { webhooks: { a: { ...hook, secretEnv: "WORDS" } } }, /WORDS must be base64/],
    [
      "a bad event",
      { notices: { a: { url: "https://a.test", secretEnv: "SECRET", events: ["x"] } } },
      /^notices\.a\.events\.0/,
    ],
  ]
  it.each(wrong)("[TRG-15] %s is an error that names the trigger and the field", (_, config, sentence) => {
    expect(() => load(config)).toThrow(ConfigError)
    expect(() => load(config)).toThrow(sentence)
  })
})

/** Model providers that the owner of the server connects (MOD-15 to MOD-18). A key is never part of a response. */
import { z } from "zod"
import { limits } from "../limits.ts"
import { millis } from "../rows/fields.ts"
import { wellFormedText } from "../text.ts"
import { type DescribedRoute, ok } from "./route.ts"

const providerName = z.enum(["openai", "anthropic", "google", "compatible", "local"])
export type ProviderName = z.infer<typeof providerName>

/** Visible ASCII: anything else could not be sent in a header. */
const providerKey = z
  .string()
  .trim()
  .min(limits.providerKeyMin, "That is too short to be an API key.")
  .max(limits.providerKeyMax)
  .regex(/^[!-~]*$/, "An API key has no spaces, line breaks or special characters.")

const providerUrl = z
  .string()
  .trim()
  .max(limits.providerUrlLength)
  .refine(isHttpUrl, "This is not an http address. It looks like https://openrouter.ai/api/v1.")
  .transform((url) => url.replace(/\/$/, ""))

const modelId = wellFormedText.min(1).max(limits.modelNameLength)

/** What is absent stays as stored. */
const providerBody = z.strictObject({
  key: providerKey.optional(),
  /** The address of a compatible server, with `/v1`. */
  url: providerUrl.optional(),
  /** The id of the model for agents that name none. Giving one makes this the provider of those agents. */
  model: modelId.optional(),
})
export type ProviderBody = z.infer<typeof providerBody>

const storedProvider = z.object({
  /** The last characters of the key; null without a key. */
  ending: z.string().nullable(),
  url: z.string().nullable(),
  /** Ids, as the provider listed them when the account was tested. */
  models: z.array(z.string()),
  model: z.string(),
  addedAt: millis,
  /** False if the key that seals it is missing: connect it again. */
  isReadable: z.boolean(),
})

const providerView = z.object({
  provider: providerName,
  title: z.string(),
  /** What has to be entered: a key, an address and perhaps a key, or nothing. */
  needs: z.enum(["key", "url", "nothing"]),
  /** Where people get a key. */
  keyPage: z.string().nullable(),
  /** The variable that takes precedence over what is stored, and whether it is set. */
  variable: z.string().nullable(),
  isInEnvironment: z.boolean(),
  stored: storedProvider.nullable(),
})
export type ProviderView = z.infer<typeof providerView>

const providersView = z.object({
  providers: z.array(providerView),
  /** Model servers that run on this machine now. */
  local: z.array(z.object({ name: z.string(), url: z.string(), models: z.array(z.string()) })),
  /** The model of agents that name none, and the variable that decides it, if one does. */
  model: z.string(),
  variable: z.string().nullable(),
})
export type ProvidersView = z.infer<typeof providersView>

const testedProvider = z.object({ models: z.array(z.string()), model: z.string() })
export type TestedProvider = z.infer<typeof testedProvider>

const params = z.object({ provider: providerName })

export const providerRoutes = {
  listProviders: {
    needs: "manage",
    summary: "The model providers that can be connected, and those that are; for the owner of the server",
    answer: ok(providersView),
  },
  connectProvider: {
    needs: "manage",
    repeats: "harmless",
    summary: "Tests an account with its provider, then stores it sealed; for the owner of the server",
    params,
    body: providerBody,
    answer: ok(providerView),
  },
  testProvider: {
    needs: "manage",
    repeats: "harmless",
    summary: "Tests an account, as given or as stored, with one small request to the provider; for the owner",
    params,
    body: providerBody,
    answer: ok(testedProvider),
  },
  disconnectProvider: {
    needs: "manage",
    summary: "Deletes the stored account; for the owner of the server",
    params,
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === ""
}

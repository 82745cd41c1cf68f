/**
 * Model servers on this machine: Ollama, LM Studio and llama.cpp (MOD-13).
 *
 * All are asked once, at the same time, with one GET each over the loopback interface; no key is sent and no redirect
 * followed. A `local/<id>` that is used before its server was found asks once more.
 */
import http from "node:http"
import { type Env, ModelConfigError, setting } from "./config.ts"

export type LocalServer = {
  readonly name: string
  /** With `/v1`. */
  readonly url: string
  readonly models: readonly string[]
}

export type LocalServers = {
  /** What has been found so far. */
  readonly found: () => readonly LocalServer[]
  /** Settles when the first search is over. */
  readonly searched: Promise<readonly LocalServer[]>
  /** Searches again. */
  readonly search: () => Promise<readonly LocalServer[]>
  /** Searches again unless the model was found before. */
  readonly serverOf: (model: string) => Promise<LocalServer | undefined>
}

const usual: readonly (readonly [name: string, url: string])[] = [
  ["Ollama", "http://127.0.0.1:11434/v1"],
  ["LM Studio", "http://127.0.0.1:1234/v1"],
  ["llama.cpp", "http://127.0.0.1:8080/v1"],
]

const searchMs = 300
const maxBytes = 256 * 1024
const maxModels = 200
const maxIdChars = 190

/** `PARLOR_LOCAL_MODELS`: `off`, or addresses to ask instead of the usual ones. */
export function findLocalServers(env: Env): LocalServers {
  const places = placesIn(env)
  let found: readonly LocalServer[] = []
  const search = async (): Promise<readonly LocalServer[]> => {
    const asked = await Promise.all(places.map(([name, url]) => modelsAt(name, url)))
    found = asked.filter((server) => server !== undefined)
    return found
  }
  const searched = search()
  const has = (model: string) => found.find(({ models }) => models.includes(model))
  return {
    found: () => found,
    searched,
    search,
    async serverOf(model) {
      await searched
      if (has(model) === undefined) await search()
      return has(model)
    },
  }
}

function placesIn(env: Env): readonly (readonly [string, string])[] {
  const given = setting(env, "PARLOR_LOCAL_MODELS")
  if (given === undefined) return usual
  if (given === "off") return []
  return given.split(",").map((part) => {
    const url = part.trim()
    if (!URL.canParse(url) || !isLoopback(new URL(url)))
      throw new ModelConfigError(
        `PARLOR_LOCAL_MODELS: "${url}" is not an http address of this machine. Use "off", or addresses such as http://127.0.0.1:11434/v1.`,
      )
    return [usual.find(([, known]) => known === url)?.[0] ?? url, url] as const
  })
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return (
    protocol === "http:" && (/^127(?:\.\d{1,3}){3}$/.test(hostname) || hostname === "localhost" || hostname === "[::1]")
  )
}

/** Undefined if there is no such server, or something else answers. */
function modelsAt(name: string, url: string): Promise<LocalServer | undefined> {
  return new Promise((resolve) => {
    const give = (models: readonly string[]): void => {
      clearTimeout(timer)
      request.destroy()
      resolve(models.length === 0 ? undefined : { name, url, models })
    }
    const request = http.get(`${url}/models`, { agent: false, headers: { accept: "application/json" } }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (piece: string) => {
        text += piece
        if (text.length > maxBytes) give([])
      })
      response.on("end", () => give(response.statusCode === 200 ? modelsIn(text) : []))
      response.on("error", () => give([]))
    })
    request.on("error", () => give([]))
    const timer = setTimeout(() => give([]), searchMs).unref()
  })
}

function modelsIn(text: string): readonly string[] {
  try {
    const { data } = JSON.parse(text) as { readonly data?: unknown }
    if (!Array.isArray(data)) return []
    const ids = data.map((one: { readonly id?: unknown } | null) => one?.id)
    return ids.filter(isName).slice(0, maxModels)
  } catch {
    return []
  }
}

function isName(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= maxIdChars && !/\p{Cc}/u.test(id) && id.isWellFormed()
}

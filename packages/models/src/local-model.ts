/** A model on a server of this machine, which may have been started after Parlor (MOD-13). */
import { type Model, ModelFault } from "@parlor/core"
import { chatCompletionsModel } from "./compatible/model.ts"
import type { ModelInfo } from "./config.ts"
import type { LocalServers } from "./local.ts"

type LocalModel = {
  readonly spec: string
  readonly id: string
  readonly servers: LocalServers
  readonly info: ModelInfo & { readonly window: number }
}

export function localChatModel({ spec, id, servers, info }: LocalModel): Model {
  const models = new Map<string, Model>()
  return {
    ...info,
    name: spec,
    async run(request, options) {
      const server = await servers.serverOf(id)
      if (server === undefined)
        throw new ModelFault(
          `No server on this machine has the model "${id}". Start Ollama, LM Studio or llama.cpp with it.`,
          { transient: false },
        )
      const account = { name: server.name, key: "its API key" }
      const model =
        models.get(server.url) ?? chatCompletionsModel({ ...info, name: spec, baseUrl: server.url, model: id, account })
      models.set(server.url, model)
      return model.run(request, options)
    },
  }
}

/** The options of one call, from a request and its settings (MOD-2). */
import type { CallSettings, ModelRequest } from "@parlor/core"
import type { Takes } from "../attachments.ts"
import { markedPrompt, markedTools } from "./cache-marks.ts"
import type { Dialect } from "./dialect.ts"
import { promptOf, toolsOf } from "./prompt.ts"
import type { CallOptions } from "./version.ts"

export function callOptions(
  request: ModelRequest,
  { id, takes, dialect }: { readonly id: string; readonly takes: Takes; readonly dialect: Dialect },
): CallOptions {
  const { settings = {} } = request
  const { temperature, maxOutputTokens, reasoning } = settings
  const plain = promptOf(request, takes)
  const prompt = dialect.marksCache ? markedPrompt(plain) : plain
  const tools = dialect.marksCache ? markedTools(toolsOf(request.tools), plain) : toolsOf(request.tools)
  const providerOptions = providerOptionsOf(dialect, id, settings)
  return {
    prompt,
    ...(tools.length === 0 ? {} : { tools, toolChoice: { type: "auto" as const } }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(Object.keys(providerOptions).length === 0 ? {} : { providerOptions }),
  } as CallOptions
}

/** What an author or a person sets wins. */
function providerOptionsOf(
  { name, options }: Dialect,
  id: string,
  settings: CallSettings,
): NonNullable<CallSettings["providerOptions"]> {
  const given = settings.providerOptions ?? {}
  const own = { ...options(id, settings), ...given[name] }
  return Object.keys(own).length === 0 ? given : { ...given, [name]: own }
}

/** Where traces go, by the environment variables of OpenTelemetry (OPS-13). */
import type { TracingSettings } from "@parlor/server"
import { SettingsError } from "./settings-error.ts"

/** Undefined without a collector. */
export function tracingOf(env: NodeJS.ProcessEnv): TracingSettings | undefined {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const given = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base ? `${base.replace(/\/$/, "")}/v1/traces` : "")
  if (given === "" || env.OTEL_SDK_DISABLED === "true") return undefined
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new SettingsError(`OTEL_EXPORTER_OTLP_ENDPOINT=${given} is not a URL such as http://127.0.0.1:4318.`)
  const content = env.PARLOR_TRACE_CONTENT ?? ""
  if (!["", "0", "1"].includes(content)) throw new SettingsError(`PARLOR_TRACE_CONTENT=${content} is neither 0 nor 1.`)
  return {
    url: given,
    headers: headersOf(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS || env.OTEL_EXPORTER_OTLP_HEADERS || ""),
    service: env.OTEL_SERVICE_NAME || "parlor",
    content: content === "1",
  }
}

/** `name=value,name=value`, percent-encoded. */
function headersOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "")
  return Object.fromEntries(
    pairs.map((pair) => {
      const place = pair.indexOf("=")
      const name = pair.slice(0, place).trim()
      if (place < 1 || !/^[\w-]+$/.test(name))
        throw new SettingsError(
          "OTEL_EXPORTER_OTLP_HEADERS must be a list such as authorization=Bearer%20abc,x-team=one.",
        )
      return [name, decoded(pair.slice(place + 1).trim())]
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

import type { Services } from "../services.ts"

export const handlers = { version }

/** Feature names that a client can rely on, whatever the version. Names are added, never changed. */
const protocols = [
  "durable-streams",
  "state-protocol",
  "rfc9457",
  "openapi-3.1",
  "standard-webhooks",
  "ai-sdk-ui",
  "mcp",
]
const features = [
  "attachments",
  "branches",
  "compaction",
  "files",
  "guests",
  "inspector",
  "mcp",
  "memory",
  "rollback",
  "schedules",
  "search",
  "usage",
  "webhooks",
]

async function version({ version }: Services) {
  return { name: "parlor", version, protocols, features }
}

import { ConfigError } from "./config-error.ts"

/** As browsers write them in the header Origin. Other schemes are those of desktop and phone apps. */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:[\]_-]+$/.test(text) || !URL.canParse(text)) return false
  return /^https?:/.test(text) ? new URL(text).origin === text : true
}

export function checkOrigins(given: unknown): void {
  const origins: unknown = given ?? []
  if (!Array.isArray(origins)) throw new ConfigError("allowedOrigins: must be a list of origins.")
  const wrong: unknown = origins.find((one) => typeof one !== "string" || !isOrigin(one))
  if (wrong !== undefined)
    throw new ConfigError(
      `allowedOrigins: ${String(wrong)} is not an origin. Use one such as https://app.example.com (no path, no wildcard).`,
    )
}

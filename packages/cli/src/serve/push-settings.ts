import { SettingsError } from "./settings-error.ts"

/** Where push services reach the operator (APP-7): as set, or else the public URL. */
export function pushContactOf(text: string | undefined, publicUrl: string | undefined): string | undefined {
  if (!text) return publicUrl?.startsWith("https:") === true ? publicUrl : undefined
  if (/^mailto:[^\s@]+@[^\s@]+$/.test(text) || (URL.canParse(text) && text.startsWith("https://"))) return text
  throw new SettingsError(
    `PARLOR_PUSH_CONTACT=${text} is neither an email address such as mailto:admin@example.com nor an https:// URL.`,
  )
}

/** Converts a row of the `preferences` table to the port's `PreferenceRecord`. The value is JSON text: no query looks into it. */
import type { PreferenceRecord } from "@parlor/core"

export type PreferenceRow = { readonly version: number; readonly value: string }

export function toPreferences({ version, value }: PreferenceRow): PreferenceRecord {
  return { version, value: JSON.parse(value) as PreferenceRecord["value"] }
}

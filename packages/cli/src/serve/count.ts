import { SettingsError } from "./settings-error.ts"

/** A whole number from the environment; undefined when it is not set. */
export function countOf(name: string, env: NodeJS.ProcessEnv, most: number): number | undefined {
  const text = env[name]
  if (!text) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new SettingsError(`${name}=${text} is not a whole number from 1 to ${most}.`)
}

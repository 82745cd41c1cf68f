/** Every attack there is: a file in `attacks/` is one, under its name. */
import { readdir } from "node:fs/promises"

const FOLDER = new URL("./attacks/", import.meta.url)

/**
 * @param {readonly string[]} [wanted] All, when none is named.
 * @returns {Promise<readonly (import("./target.mjs").Attack & { name: string })[]>}
 */
export async function attacks(wanted = []) {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".mjs")).map((name) => name.slice(0, -4))
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`There is no attack "${unknown}". There are: ${names.join(", ")}`)
  const chosen = names.sort().filter((name) => wanted.length === 0 || wanted.includes(name))
  return Promise.all(
    chosen.map(async (name) => {
      const { description, rule, run } = await import(new URL(`${name}.mjs`, FOLDER).href)
      return { name, description, rule, run }
    }),
  )
}

/** Reads a SKILL.md (CMP-11). */
import type { Skill } from "../agent/skill.ts"
import { FrontMatterError, parseFrontMatter } from "./front-matter.ts"

/** The naming rules of Agent Skills. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 1_024
const MAX_HINT = 200

/** `folder`: the name of the folder that contains the file. Throws a `FrontMatterError` with the line number. */
export function parseSkill(text: string, folder: string): Omit<Skill, "files"> {
  const { values, lines, body } = parseFrontMatter(text)
  const name = needed(values, "name")
  if (!NAME.test(name) || name.length > MAX_NAME)
    throw new FrontMatterError(
      `"${name}" is not a valid skill name: use lowercase letters and digits, joined by hyphens`,
      1,
    )
  if (name !== folder) throw new FrontMatterError(`The skill "${name}" has to be in a folder with that name`, 1)
  const description = needed(values, "description").replace(/\s+/g, " ").trim()
  if (description.length > MAX_DESCRIPTION)
    throw new FrontMatterError(`The description has more than ${MAX_DESCRIPTION} characters`, 1)
  // `[issue] [priority]` is a list in YAML, and how people write such a hint.
  const hint = values.get("argument-hint") ?? lines.get("argument-hint") ?? ""
  const argumentHint = hint.replace(/\s+/g, " ").trim()
  if (argumentHint.length > MAX_HINT)
    throw new FrontMatterError(`The argument hint has more than ${MAX_HINT} characters`, 1)
  if (body === "") throw new FrontMatterError("There is nothing after the front matter", 1)
  return { name, description, ...(argumentHint === "" ? {} : { argumentHint }), body }
}

function needed(values: ReadonlyMap<string, string | undefined>, key: string): string {
  const value = values.get(key)
  if (value !== undefined && value.trim() !== "") return value.trim()
  throw new FrontMatterError(
    values.has(key) ? `"${key}" has to be a string` : `The front matter has no line "${key}: …"`,
    1,
  )
}

/**
 * Parses incoming JSON: valid UTF-8, limited depth and count before parsing, matching its schema after (SEC-5).
 *
 * Depth is limited first because parsing accepts nesting that serializing cannot handle later.
 */
import { limits, Refusal, type RefusalCode, textDefect } from "@parlor/protocol"
import type { z } from "zod"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

export function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Refusal("request.json", "The body is not valid UTF-8.")
  }
}

export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes)
  checkShape(text)
  const value = parsed(text)
  // The text is valid UTF-8, so a half surrogate or a NUL can only have come as an escape. Most bodies have none, and
  // looking for one is much faster than the expressions.
  const hasEscapes = text.includes("\\u")
  if (hasEscapes && /\\u(?:0000|d[89a-f])/i.test(text)) checkText(value, "")
  if (text.includes("__proto__") || (hasEscapes && /\\u005f/i.test(text))) checkKeys(value, "")
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal(
      "request.json",
      `The body is not valid JSON: ${error instanceof Error ? error.message : "it cannot be read"}.`,
    )
  }
}

/** Every string in the body, including keys and values that the schema does not check. */
function checkText(value: unknown, pointer: string): void {
  if (typeof value === "string") {
    const defect = textDefect(value)
    if (defect !== undefined) throw new Refusal("text.malformed", `The text ${defect}.`, pointer)
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (textDefect(key) !== undefined)
        throw new Refusal("text.malformed", "This key contains characters that cannot be stored.", pointer)
      checkText(inner, `${pointer}/${escapedStep(key)}`)
    }
  }
}

/** A key of that name is lost when an object is copied, so it is refused. */
function checkKeys(value: unknown, pointer: string): void {
  if (typeof value !== "object" || value === null) return
  if (Object.hasOwn(value, "__proto__"))
    throw new Refusal("request.invalid", "The key __proto__ is not allowed.", pointer)
  for (const [key, inner] of Object.entries(value)) checkKeys(inner, `${pointer}/${escapedStep(key)}`)
}

/** Parses `value` by its schema, or refuses with a pointer to the first mismatch. */
export function fit<S extends z.ZodType>(schema: S, value: unknown, where: "body" | "query" | "path"): z.output<S> {
  const fitted = schema.safeParse(value)
  if (fitted.success) return fitted.data
  const { path, message, code } = firstOf(fitted.error.issues)
  const pointer = path.map((step) => `/${escapedStep(String(step))}`).join("")
  const place = where === "body" ? "" : ` (in the ${where})`
  throw new Refusal(code, `${message}${place}`, where === "body" ? pointer : path.map(String).join("/"))
}

/** RFC 6901. */
function escapedStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1")
}

type Found = { readonly path: readonly PropertyKey[]; readonly message: string; readonly code: RefusalCode }

/** The first mismatch; for a union, in the branch that was most likely meant. */
function firstOf(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[] = []): Found {
  const [issue] = issues
  if (issue === undefined)
    return { path: above, message: "The request does not match its schema.", code: "request.invalid" }
  const path = [...above, ...issue.path]
  if (issue.code === "invalid_union" && issue.errors.length > 0)
    return nearest(issue.errors.map((branch) => ({ found: firstOf(branch, path), strays: strays(branch) })))
  return { path, message: issue.message, code: codeOf(issue) }
}

function nearest(branches: readonly { found: Found; strays: number }[]): Found {
  const [first, ...rest] = branches
  if (first === undefined)
    return { path: [], message: "The request does not match its schema.", code: "request.invalid" }
  return rest.reduce((best, next) => (next.strays < best.strays ? next : best), first).found
}

/** How far a branch is from the input: unknown plus missing keys. */
function strays(issues: readonly z.core.$ZodIssue[]): number {
  let count = 0
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") count += issue.keys.length * 2
    else count += issue.path.length <= 1 ? 1 : 0
  }
  return count
}

function codeOf(issue: z.core.$ZodIssue): RefusalCode {
  const code: unknown = issue.code === "custom" ? issue.params?.code : undefined
  return code === "text.malformed" || code === "composer.span" ? code : "request.invalid"
}

/** Limits depth and count of a JSON text without parsing it. */
export function checkShape(text: string, maxDepth: number = limits.jsonDepth, pointer?: string): void {
  let depth = 0
  let values = 1
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x22) i = endOfString(text, i)
    else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > maxDepth)
        throw new Refusal(
          "request.too-deep",
          `The JSON is nested too deeply. The maximum is ${maxDepth} levels.`,
          pointer,
        )
    } else if (unit === 0x7d || unit === 0x5d) depth--
    else if (unit === 0x2c && ++values > limits.jsonValues)
      throw new Refusal(
        "request.too-many",
        `The JSON has too many values. The maximum is ${limits.jsonValues}.`,
        pointer,
      )
  }
}

/** The position of the quote that ends the string that begins at `start`; searched for, because files are long strings. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

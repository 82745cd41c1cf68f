/** What no linter finds: schemas that say nothing, and schemas that are written twice. */
type Parameter = { readonly $ref?: string }
type Operation = {
  readonly operationId: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
    >
  }
  readonly responses: Readonly<Record<string, unknown>>
}

export type OpenApi = {
  readonly servers: readonly unknown[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Values that are not schemas. */
const DATA = new Set(["example", "examples", "default", "enum", "const"])

export function defectsOf(document: OpenApi): readonly string[] {
  const places = new Map<string, string[]>()
  const defects: string[] = []
  visit({ paths: document.paths, components: document.components }, "#", (value, place) => {
    if (Object.keys(value).length === 0) defects.push(`empty: ${place}`)
    if (typeof value.$ref === "string" && found(document, value.$ref) === undefined)
      defects.push(`reference to nothing: ${place} ${value.$ref}`)
    if (!isWorthAName(value)) return
    const text = JSON.stringify(value)
    places.set(text, [...(places.get(text) ?? []), place])
  })
  for (const where of places.values()) if (where.length > 1) defects.push(`twice: ${where.join(", ")}`)
  return defects.sort()
}

type Json = Readonly<Record<string, unknown>>

/** Small enough to write again: `{ "cursor": "…" }`, or one of three texts. */
function isWorthAName(schema: Json): boolean {
  const size = (value: unknown) => (typeof value === "object" && value !== null ? Object.keys(value).length : 0)
  const isObject = schema.type === "object" && size(schema.properties) >= 2
  return isObject || size(schema.enum) >= 4 || size(schema.anyOf) >= 3 || size(schema.oneOf) >= 3
}

function visit(value: unknown, place: string, see: (value: Json, place: string) => void): void {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) see(value as Json, place)
  for (const [key, inner] of Object.entries(value)) if (!DATA.has(key)) visit(inner, `${place}/${key}`, see)
}

function found(document: OpenApi, reference: string): unknown {
  return reference
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document)
}

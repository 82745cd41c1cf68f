/** The `package.json` of a new project. Pure. */

export type Manifest = Readonly<Record<string, unknown>>

/** Entries that an existing `package.json` gets if it lacks them. */
const GROUPS = ["scripts", "dependencies", "devDependencies"] as const
const OWN = /^(?:@parlor\/.+|parlor)$/

/** The template's manifest with the folder's name, and our packages at this version. */
export function manifestFor(
  template: Manifest,
  options: { readonly name: string; readonly version: string },
): Manifest {
  const atVersion = (list: unknown) =>
    Object.fromEntries(
      Object.entries(list as Record<string, string>).map(([name, version]) => [
        name,
        OWN.test(name) ? options.version : version,
      ]),
    )
  return {
    ...template,
    name: packageName(options.name),
    dependencies: atVersion(template.dependencies),
    devDependencies: atVersion(template.devDependencies),
  }
}

/** An existing manifest with what it lacks, and the names of what was added. Nothing that is there changes. */
export function withMissing(
  existing: Manifest,
  wanted: Manifest,
): { readonly manifest: Manifest; readonly added: readonly string[] } {
  let manifest = existing
  const added: string[] = []
  if (existing.type === undefined) {
    manifest = { ...manifest, type: "module" }
    added.push("type")
  }
  const known = new Set(GROUPS.flatMap((group) => (group === "scripts" ? [] : Object.keys(listOf(existing[group])))))
  for (const group of GROUPS) {
    const has = listOf(existing[group])
    const missing = Object.entries(listOf(wanted[group])).filter(
      ([name]) => has[name] === undefined && (group === "scripts" || !known.has(name)),
    )
    if (missing.length === 0) continue
    manifest = { ...manifest, [group]: { ...has, ...Object.fromEntries(missing) } }
    added.push(...missing.map(([name]) => `${group}.${name}`))
  }
  return { manifest, added }
}

function listOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** A name that npm accepts, made from the folder's. */
function packageName(folder: string): string {
  const name = folder
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 200)
  return name === "" ? "agents" : name
}

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { root } from "../../scripts/setup.mjs"

describe("documents", () => {
  test("every relative link leads somewhere", () => {
    const broken = documents().flatMap((file) =>
      links(readFileSync(join(root, file), "utf8"))
        .filter((link) => !existsSync(join(root, dirname(file), link)))
        .map((link) => `${file}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  test("every file of a walk in ARCHITECTURE.md exists", () => {
    const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
    const walks = /^## Four walks$(.*?)^## /ms.exec(text)?.[1] ?? ""
    const files = [...walks.matchAll(/`(\w+)\/([\w/.-]+\.tsx?)`/g)].map(
      ([, name, path]) => `packages/${name}/src/${path}`,
    )
    expect(files.length).toBeGreaterThan(40)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test("every runtime dependency has its line in the decision record, and no other has", () => {
    const record = readFileSync(join(root, "docs/decisions/0008-dependencies.md"), "utf8")
    const rows = record.split("\n").filter((line) => line.startsWith("| `"))
    const named = rows.flatMap((row) => (row.split("|")[1] ?? "").match(/(?<=`)[@\w/.-]+(?=`)/g) ?? [])
    expect(named.sort()).toEqual(runtimeDependencies())
  })
})

function documents(): string[] {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((file) => `docs/${file}`)
  return [...readdirSync(root), ...inDocs].filter((file) => file.endsWith(".md"))
}

function links(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link.replace(/#.*$/, ""))
    .filter((link) => link !== "" && !/^[a-z]+:/.test(link))
}

function runtimeDependencies(): string[] {
  const names = readdirSync(join(root, "packages")).flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"))
    return Object.keys(manifest.dependencies ?? {})
  })
  return [...new Set(names)].filter((name) => !name.startsWith("@parlor/") && name !== "create-parlor").sort()
}

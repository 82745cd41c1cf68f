import { expect, test } from "vitest"
import { packages } from "../../scripts/pack/package-files.mjs"
import { checkPacked } from "../../scripts/packages.mjs"

const created = () => {
  const found = packages().find(({ folder }) => folder === "create")
  if (found === undefined) throw new Error("packages/create is missing")
  return found
}

test("[OPS-1] what is published has README, LICENSE, repository, types, and no source condition", async () => {
  const packed = created()
  expect(await checkPacked(packed)).toEqual([])
  expect(packed.manifest).toMatchObject({ repository: { type: "git", directory: "packages/create" } })
  expect(JSON.stringify(packed.manifest)).not.toContain("@parlor/source")
  expect([...packed.files.keys()].filter((path) => path.endsWith(".map"))).toEqual([])
  expect(packed.files.get("dist/index.d.ts")?.toString()).toContain('"./create-project.js"')
})

test("[OPS-1] a missing README, a stray file and wrong types are found", async () => {
  const packed = created()
  const files = new Map(packed.files)
  files.delete("README.md")
  files.delete("dist/index.d.ts")
  files.set("notes.txt", Buffer.from("x"))
  const wrong = await checkPacked({ ...packed, files })
  expect(wrong).toEqual(
    expect.arrayContaining([
      "packages/create: README.md is missing",
      expect.stringMatching(/^packages\/create: notes\.txt should not be published/),
      expect.stringMatching(/^packages\/create: publint: /),
      expect.stringMatching(/^packages\/create: are-the-types-wrong: /),
    ]),
  )
})

test("[OPS-1] another scope replaces ours in manifests, code, types and the template", () => {
  for (const { manifest, files } of packages({ scope: "@example" })) {
    expect(JSON.stringify(manifest)).not.toContain("@parlor/")
    for (const [path, bytes] of files)
      if (/\.(?:js|ts|json)$/.test(path) && !path.startsWith("dist/assets/"))
        expect(bytes.includes("@parlor/"), path).toBe(false)
  }
})

import { describe, expect, test } from "vitest"
import { checkImports, findCycles, importsOf } from "../../scripts/imports.mjs"

const manifests = new Map(
  Object.entries({
    protocol: { dependencies: { zod: "1" } },
    core: { dependencies: { "@parlor/protocol": "1" } },
    store: { dependencies: { "@parlor/core": "1", "@parlor/protocol": "1" } },
    server: { dependencies: { "@parlor/core": "1", "@parlor/store": "1" } },
    cli: { dependencies: { "@parlor/client": "1", "@parlor/server": "1", "@parlor/store": "1" } },
  }),
)

function wrong(files: Record<string, string>): string[] {
  return checkImports({
    files: new Map(Object.entries(files)),
    manifests,
    root: { devDependencies: { vitest: "1" } },
  })
}

const from = (name: string) => `import { x } from "${name}"\n`

describe("import directions", () => {
  test("a package may import what the table gives it, itself, and its own files", () => {
    const files = {
      "packages/store/src/a.ts": from("@parlor/core") + from("./b.ts") + from("node:fs"),
      "packages/store/src/b.ts": from("@parlor/protocol"),
    }
    expect(wrong(files)).toEqual([])
  })

  test("a wrong direction is caught", () => {
    const [sentence, ...more] = wrong({ "packages/core/src/a.ts": from("@parlor/store") })
    expect(sentence).toBe("packages/core/src/a.ts: core may not import @parlor/store")
    expect(more).toEqual([])
  })

  test("a wrong direction is caught in every form of import", () => {
    const forms = [
      'import "@parlor/store"',
      'export * from "@parlor/store"',
      'export { x } from "@parlor/store"',
      'import type { X } from "@parlor/store"',
      'import {\n  type X,\n  y,\n} from "@parlor/store"',
      'import X, * as y from "@parlor/store/inner"',
      'const x = await import("@parlor/store")',
    ]
    for (const form of forms) expect(wrong({ "packages/server/src/a.ts": form }), form).toHaveLength(1)
  })

  test("a path into another package is caught", () => {
    const files = { "packages/core/src/a.ts": from("../../store/src/b.ts"), "packages/store/src/b.ts": "" }
    expect(wrong(files)).toEqual([
      "packages/core/src/a.ts: reaches into packages/store by path (../../store/src/b.ts); import its name",
    ])
  })

  test("only serve puts the parts together", () => {
    expect(wrong({ "packages/cli/src/serve.ts": from("@parlor/server") })).toEqual([])
    expect(wrong({ "packages/cli/src/serve/parts.ts": from("@parlor/store") })).toEqual([])
    expect(wrong({ "packages/cli/src/commands/send.ts": from("@parlor/server") })).toHaveLength(1)
    expect(wrong({ "packages/cli/src/commands/serve-all.ts": from("@parlor/server") })).toHaveLength(1)
  })

  test("core may not import node", () => {
    const [sentence] = wrong({ "packages/core/src/a.ts": from("node:fs") })
    expect(sentence).toContain("core may not import node:fs")
    expect(wrong({ "packages/core/src/a.test.ts": from("node:fs") })).toEqual([])
  })

  test("test code stays out of the product", () => {
    expect(wrong({ "packages/server/src/a.ts": from("@parlor/core/testing") })).toHaveLength(1)
    expect(wrong({ "packages/core/src/turn/a.ts": from("../testing/clock.ts") })).toHaveLength(1)
    expect(wrong({ "packages/server/src/a.test.ts": from("@parlor/core/testing") + from("@parlor/store") })).toEqual([])
  })

  test("a package that package.json does not name is caught", () => {
    expect(wrong({ "packages/core/src/a.ts": from("zod") })).toEqual([
      "packages/core/src/a.ts: zod is not in its package.json",
    ])
    expect(wrong({ "packages/core/src/a.test.ts": from("vitest") })).toEqual([])
    expect(wrong({ "packages/core/src/a.ts": from("vitest") })).toHaveLength(1)
  })

  test("a package outside the table is caught", () => {
    expect(wrong({ "packages/extra/src/a.ts": from("@parlor/core") })).toHaveLength(1)
  })
})

describe("import cycles", () => {
  test("a cycle is caught and walked", () => {
    const files = {
      "packages/core/src/a.ts": from("./b.ts"),
      "packages/core/src/b.ts": from("./c.ts"),
      "packages/core/src/c.ts": from("./a.ts"),
      "packages/core/src/d.ts": from("./a.ts"),
    }
    expect(wrong(files)).toEqual([
      "import cycle: packages/core/src/a.ts → packages/core/src/b.ts → packages/core/src/c.ts → packages/core/src/a.ts",
    ])
  })

  test("two ways to one file are no cycle", () => {
    const graph = { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }
    expect(findCycles(new Map(Object.entries(graph)))).toEqual([])
  })

  test("two cycles are told apart", () => {
    const graph = { a: ["b"], b: ["a", "c"], c: ["d"], d: ["c"], e: ["e"] }
    expect(findCycles(new Map(Object.entries(graph))).map((cycle) => cycle.slice(1).sort())).toEqual([
      ["c", "d"],
      ["a", "b"],
      ["e"],
    ])
  })
})

test("comments and strings import nothing", () => {
  const dynamic = (name: string) => ["import", `("${name}")`].join("")
  const text = [`// ${dynamic("a")}`, ` * see ${dynamic("b")}`, `const text = '${from("c").trim()}'`].join("\n")
  expect(importsOf(text)).toEqual([])
})

import { createHash } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startParlor, type TestParlor } from "./parlor.ts"

let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())

const run = (...args: readonly string[]) => parlor.run(["attachments", ...args])
const add = (text: string, name: string) =>
  parlor.sdk.attachments.add(new TextEncoder().encode(text), { name, mediaType: "text/plain" })
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")
const names = async () => (await parlor.sdk.attachments.list()).attachments.map(({ name }) => name)

test("[CMP-15] lists attachments and their size, and deletes the named ones", async () => {
  expect(await run()).toMatchObject({ code: 0, out: "", err: expect.stringContaining("There are no attachments") })
  await add("one", "one.txt")
  await add("two and more", "two.txt")
  const listed = await run()
  expect(
    listed.out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/\s{2,}/).at(-1))
      .sort(),
  ).toEqual(["one.txt", "two.txt"])
  expect(listed.out).toContain(hashOf("one").slice(0, 12))
  expect(listed.err).toBe("15 B of 1 GB\n")
  expect((await run("--json")).out).toContain(`"hash":"${hashOf("one")}"`)

  expect(await run("rm", hashOf("one").slice(0, 12), "feed")).toMatchObject({
    code: 2,
    err: expect.stringContaining('no attachment "feed"'),
  })
  expect(await names()).toHaveLength(2)
  expect(await run("rm", hashOf("one").slice(0, 12))).toMatchObject({ code: 0, err: "Deleted one.txt.\n" })
  expect(await names()).toEqual(["two.txt"])
})

test("an ambiguous prefix of a hash is refused", async () => {
  const texts = Array.from({ length: 17 }, (_, i) => `text ${i}`)
  for (const text of texts) await add(text, "t.txt")
  const hashes = texts.map(hashOf)
  const twice = hashes.map((hash) => hash.charAt(0)).find((first, i, all) => all.indexOf(first) !== i) ?? ""
  expect(await run("rm", twice)).toMatchObject({ code: 2, err: expect.stringContaining("More than one begins with") })
})

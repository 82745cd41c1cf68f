/** API keys, people and everyone's usage on the command line. */
import { Parlor } from "@parlor/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startParlor, type TestParlor, until } from "./parlor.ts"

let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())

const as = (token: string, person?: string) =>
  new Parlor({ baseUrl: parlor.env.PARLOR_URL ?? "", token, ...(person === undefined ? {} : { person }) })

test("[OPS-19] a key is created with scopes and expiry, works, is listed and is revoked", async () => {
  const { code, out, err } = await parlor.run(["keys", "create", "ci", "--scopes", "read", "--expires", "30d"])
  expect(code).toBe(0)
  expect(err).toContain("It is not shown again")
  const secret = out.trim()
  expect(secret).toMatch(/^parlor_/)
  await as(secret).conversation("host").open()
  await expect(as(secret).conversation("host").send("hello")).rejects.toMatchObject({ status: 403 })
  const listed = await parlor.run(["keys"])
  const line = listed.out.split("\n").find((one) => one.endsWith("ci")) ?? ""
  expect(line).toMatch(/^key_\S+ {2}read {2}expires \d{4}-\d\d-\d\d {2}ci$/)
  expect(listed.out).not.toContain(secret)
  const id = line.split(" ")[0] ?? ""
  expect((await parlor.run(["keys", "revoke", id])).code).toBe(0)
  await expect(as(secret).conversation("host").open()).rejects.toMatchObject({ status: 401 })
  expect((await parlor.run(["keys"])).out).not.toContain(id)
  expect((await parlor.run(["keys", "list", "--all"])).out).toContain(`${id}  read  revoked  ci`)
})

test("[OPS-19] wrong scopes, times and ids are refused in words", async () => {
  const scopes = await parlor.run(["keys", "create", "x", "--scopes", "read,everything"])
  expect(scopes.code).toBeGreaterThan(0)
  expect(scopes.out).toBe("")
  const expires = await parlor.run(["keys", "create", "x", "--expires", "soon"])
  expect(expires.err).toContain("--expires soon is not a time. Use a date such as 2027-01-31, or 12h or 30d from now.")
  const unknown = await parlor.run(["keys", "revoke", "key_none"])
  expect(unknown.code).toBeGreaterThan(0)
  expect(unknown.err.trim()).toBe("There is no key key_none.")
})

test("[OPS-20] the owner sees people, and the usage of everyone by person, agent and model", async () => {
  const made = await parlor.run(["keys", "create", "bridge", "--act-for", "chat:*", "--json"])
  const bridge = JSON.parse(made.out).secret as string
  for (const person of ["chat:ana", "chat:bob"]) await as(bridge, person).conversation("host").send("hello")
  const totals = async (by: string) => JSON.parse((await parlor.run(["usage", "--by", by, "--json"])).out).totals
  await until(
    () => totals("person"),
    (found) => found.length === 2,
  )
  expect(await totals("person,model")).toEqual([
    expect.objectContaining({ person: expect.stringMatching(/^chat:/), agent: null, model: "demo", calls: 1 }),
    expect.objectContaining({ person: expect.stringMatching(/^chat:/), agent: null, model: "demo", calls: 1 }),
  ])
  expect(await totals("agent")).toEqual([
    expect.objectContaining({ person: null, agent: "host", model: null, calls: 2 }),
  ])
  expect((await parlor.run(["usage", "--by", "model"])).out).toMatch(/^Since .*\n {2}demo {2}2 calls {2}/)
  const people = (await parlor.run(["people"])).out
  expect(people).toMatch(/^chat:ana {2}1 conversation {2}/m)
  expect(people).toMatch(/^chat:bob {2}1 conversation {2}/m)
  const wrong = await parlor.run(["usage", "--by", "planet"])
  expect(wrong.code).toBeGreaterThan(0)
})

test("[OPS-20] nobody else sees them, whatever scopes they have", async () => {
  const { secret } = await as(parlor.env.PARLOR_TOKEN ?? "").keys.make({ name: "own", scopes: ["manage"] })
  expect((await as(secret).people()).people.length).toBeGreaterThan(0)
  const made = await as(parlor.env.PARLOR_TOKEN ?? "").keys.make({
    ...{ name: "bridge", scopes: ["read", "write", "manage"], actFor: "chat:*" },
  })
  await expect(as(made.secret, "chat:ana").people()).rejects.toMatchObject({ status: 403 })
  await expect(as(made.secret, "chat:ana").usageTotals()).rejects.toMatchObject({ status: 403 })
})

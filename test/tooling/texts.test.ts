import { expect, it } from "vitest"
import { checkTexts } from "../../scripts/texts.mjs"

const english = 'import { texts } from "../texts.ts"\n\nexport const t = texts("queue", { hello: "Hello {name}" })\n'
const german = 'export const words = { hello: "Hallo {name}" }\n'
const user = 'import { t } from "../../texts/en/queue.ts"\n\nexport const say = () => t("hello", { name: "you" })\n'
const catalog = { "texts/en/queue.ts": english, "texts/de/queue.ts": german, "features/queue/say.ts": user }
/** As it stands in a file, so not a template here. */
const template = ["`$", "{count} open questions`"].join("")
const check = (files: Readonly<Record<string, string>>) => checkTexts(new Map(Object.entries({ ...catalog, ...files })))

it("[SET-2] a catalog whose texts are all used and translated passes", () => {
  expect(check({})).toEqual([])
})

it.each([
  ["JSX text", "export const A = () => <p>Not here {1}</p>", "Not here"],
  ["an attribute", 'export const A = () => <input aria-label="Your name" className="Big" />', "Your name"],
  ["a condition", 'export const A = ({ on }) => <p>{on ? "Switched on" : ""}</p>', "Switched on"],
  ["one word between tags", 'export const A = ({ on }) => <p>{on && "pinned"}</p>', "pinned"],
  ["a template", `export const words = (count) => ${template}`, template.slice(1, -1)],
  ["a table", 'export const names = { system: "System" }', "System"],
])("[SET-2] a text outside the catalog is found: %s", (_, source, text) => {
  expect(check({ "features/queue/A.tsx": source })).toEqual([`features/queue/A.tsx: "${text}" is not in texts/en`])
})

it("[SET-2] what only programs read is left alone", () => {
  const source = [
    'const shortcuts = { palette: ["Mod+K"], next: ["Alt+ArrowDown"] }',
    'const entry = { kind: "Recent" as const }',
    'const key = (event) => event.key === "Enter" || event.key === "ArrowDown"',
    'export const A = () => <div className="flex gap-2 Big" role="group" data-x="Some words here" />',
    'if (key) throw new Error("The page has no root")',
    'document.querySelector("main article p")',
    `const address = ${template.replace(" open questions", "/main")}`,
    'import { B } from "Some/Where.tsx"',
  ].join("\n")
  expect(check({ "features/queue/A.tsx": source })).toEqual([])
})

it("[SET-2] keys that nothing uses, missing parts and different slots are found", () => {
  const more = english.replace('"Hello {name}"', '"Hello {name}", bye: "Bye"')
  expect(check({ "texts/en/queue.ts": more })).toEqual(['texts/en/queue.ts: nothing uses "bye"'])
  expect(check({ "texts/de/queue.ts": german.replace("{name}", "{nam}") })).toEqual([
    'texts/de/queue.ts: "hello" needs the slots {name}',
  ])
  expect(check({ "texts/en/files.ts": english.replace('{ hello: "Hello {name}" }', "{}") })).toEqual([
    "texts/de/files.ts is missing",
  ])
})

it("[SET-2] a text that is read while a module loads is found", () => {
  expect(check({ "features/queue/say.ts": user.replace("() => ", "") })).toEqual([
    'features/queue/say.ts: t("hello", { name: "you" }) runs before the language is known',
  ])
})

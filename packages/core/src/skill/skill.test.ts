import { describe, expect, it } from "vitest"
import { parseSkill } from "./skill.ts"

const file = (name: string, description: string, body = "Do it.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`

describe("a SKILL.md", () => {
  it("[CMP-11] has a name, a one-line description, and a body", () => {
    expect(parseSkill(file("make-tea", ">\n  Boils\n  water."), "make-tea")).toEqual({
      name: "make-tea",
      description: "Boils water.",
      body: "Do it.",
    })
  })

  it.each([
    [file("Tea", "x"), "Tea", "not a valid skill name"],
    [file("a--b", "x"), "a--b", "not a valid skill name"],
    [file(`${"a".repeat(65)}`, "x"), "a".repeat(65), "not a valid skill name"],
    [file("tea", "x"), "coffee", "in a folder with that name"],
    [file("tea", "x".repeat(1_025)), "tea", "more than 1024"],
    [file("tea", '""'), "tea", '"description" has to be a string'],
    [file("tea", "[a, b]"), "tea", '"description" has to be a string'],
    ["---\nname: tea\n---\nBody", "tea", 'no line "description: …"'],
    [file("tea", "x", "  "), "tea", "nothing after the front matter"],
  ])("%# is rejected", (text, folder, why) => {
    expect(() => parseSkill(text, folder)).toThrow(why)
  })
})

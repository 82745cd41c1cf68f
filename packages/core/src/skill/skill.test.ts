import { describe, expect, it } from "vitest"
import { parseSkill } from "./skill.ts"

const file = (name: string, description: string, body = "Do it.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`

describe("a SKILL.md", () => {
  it("[CMP-11] has a name, a description of one line, and a text", () => {
    expect(parseSkill(file("make-tea", ">\n  Boils\n  water."), "make-tea")).toEqual({
      name: "make-tea",
      description: "Boils water.",
      body: "Do it.",
    })
  })

  it.each([
    [file("Tea", "x"), "Tea", "no name of a skill"],
    [file("a--b", "x"), "a--b", "no name of a skill"],
    [file(`${"a".repeat(65)}`, "x"), "a".repeat(65), "no name of a skill"],
    [file("tea", "x"), "coffee", "in a folder of that name"],
    [file("tea", "x".repeat(1_025)), "tea", "more than 1024"],
    [file("tea", '""'), "tea", '"description" has to be a text'],
    [file("tea", "[a, b]"), "tea", '"description" has to be a text'],
    ["---\nname: tea\n---\nBody", "tea", 'no line "description: …"'],
    [file("tea", "x", "  "), "tea", "nothing after the front matter"],
  ])("%# is refused", (text, folder, why) => {
    expect(() => parseSkill(text, folder)).toThrow(why)
  })
})

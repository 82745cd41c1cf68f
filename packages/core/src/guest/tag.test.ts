import { describe, expect, it } from "vitest"
import { framed, withoutFrames } from "./tag.ts"

describe("words under an agent's name", () => {
  it("[GST-3] the person's own are what is left without them", () => {
    const text = `before ${framed("critic", "no")} between ${framed("crab", "yes")} after `
    expect(withoutFrames(text)).toBe("before  between  after")
    expect(withoutFrames(" plain ")).toBe("plain")
    expect(withoutFrames(framed("critic", "no"))).toBe("")
  })

  it("[GST-3] a frame that is not closed is the person's, and one inside another ends with it", () => {
    expect(withoutFrames('a <from agent="x">b')).toBe('a <from agent="x">b')
    expect(withoutFrames('a <from agent="x">b <from agent="y">c</from> d')).toBe("a  d")
    expect(withoutFrames('<from agent="x"></from>a')).toBe("a")
  })

  it("[GST-4] no name breaks out of its attribute", () => {
    expect(framed('a"b', "x")).toBe('<from agent="a&#34;b">x</from>')
  })
})

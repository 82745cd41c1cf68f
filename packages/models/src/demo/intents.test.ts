import { GO_ON, type Json, type ModelMessage, type ModelRequest, SUMMARY_INSTRUCTIONS } from "@parlor/core"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { asking, weatherTool } from "../../test/requests.ts"
import { scriptFor } from "./intents.ts"
import { words } from "./script.ts"

const clockTool = { name: "current_time", description: "The time.", inputSchema: { type: "object" } }

const askTool = { name: "ask_person", description: "Asks.", inputSchema: { type: "object" } }

function spoken(request: ModelRequest): string {
  return scriptFor(request)
    .map((beat) => (beat.type === "say" ? beat.text : ""))
    .join("")
}

describe("the demo model's script", () => {
  test("[TRN-16] a greeting says what it is, what to try and how to set a key", () => {
    const text = spoken(asking("Hello there"))
    for (const part of [
      "demo model",
      "no key",
      "count slowly to 50",
      "ask me",
      "use a tool",
      "fail twice",
      "OPENAI_API_KEY",
      "PARLOR_MODEL",
    ])
      expect(text).toContain(part)
    expect(spoken(asking("", { messages: [] }))).toBe(text)
  })

  test("[GST-1] in company it answers the person, whatever the others said last", () => {
    expect(spoken(asking('say hello\n\n<from agent="critic">say no</from>'))).toBe("hello")
    expect(spoken(asking('say one\n\n<from agent="host">one</from>\n\nsay two'))).toBe("two")
  })

  test("[CMP-12] after a first word of its agent's handler it answers what was asked", () => {
    const messages: ModelMessage[] = [
      { role: "person", text: "say hello" },
      { role: "agent", parts: [{ type: "text", text: "Let me see." }] },
      { role: "person", text: GO_ON },
    ]
    expect(spoken(asking("", { messages }))).toBe("hello")
  })

  test("[TRN-16] markdown on request has headings, lists, a table and code", () => {
    const text = spoken(asking("show me markdown"))
    expect(text).toMatch(/^# /m)
    expect(text).toMatch(/^- \[x\] /m)
    expect(text).toMatch(/^\|---\|---:\|---\|$/m)
    expect(text).toMatch(/^```ts$/m)
  })

  test.each([
    ["count to 3", "1, 2, 3.", undefined],
    ["Please count slowly to 5", "1, 2, 3, 4, 5.", 4],
    ["count to 2 slowly", "1, 2.", 4],
    ["count to 0", "0.", undefined],
  ])("[TRN-16] %s", (text, answer, perSecond) => {
    expect(scriptFor(asking(text))).toEqual([{ type: "say", text: answer, ...(perSecond ? { perSecond } : {}) }])
  })

  test("[TRN-16] a count has a limit", () => {
    expect(words(spoken(asking("count to 99999999999")))).toHaveLength(1_000)
  })

  test("[TRN-16] the time comes from the tool when it is offered", () => {
    expect(scriptFor(asking("what time is it?", { tools: [clockTool] }))).toEqual([
      { type: "call", name: "current_time", input: {} },
    ])
    expect(spoken(asking("what time is it?"))).toContain("no clock")
  })

  test.each([
    ["done", "12:30", "It is **12:30**"],
    ["done", { zone: null, iso: "2030-01-01T00:00:00Z" }, "It is **2030-01-01T00:00:00Z**"],
    ["failed", "no battery", "did not work: no battery"],
  ] as const)("[TRN-16] after a tool that is %s with %j it answers from the result", (outcome, output, answer) => {
    const messages: ModelMessage[] = [
      { role: "person", text: "what time is it?" },
      { role: "agent", parts: [{ type: "tool", call: "c", name: "current_time", input: {} }] },
      { role: "tools", results: [{ call: "c", name: "current_time", outcome, output }] },
    ]
    expect(spoken(asking("", { messages, tools: [clockTool] }))).toContain(answer)
  })

  test("[TRN-16] any offered tool can be called with an input", () => {
    const request = asking('use weather {"city":"Oslo"}', { tools: [weatherTool] })
    expect(scriptFor(request).at(-1)).toEqual({ type: "call", name: "weather", input: { city: "Oslo" } })
    expect(spoken(asking("use weather {city}", { tools: [weatherTool] }))).toContain("not valid JSON")
    expect(spoken(asking("use no_such_tool", { tools: [weatherTool] }))).toContain("`weather`: The weather")
    expect(spoken(asking("which tools do you have?"))).toContain("no tools")
  })

  test("[TRN-16] a long story has about 400 words, and a length can be asked for", () => {
    expect(words(spoken(asking("write a long story")))).toHaveLength(400)
    expect(words(spoken(asking("write 2000 words about ships")))).toHaveLength(2_000)
  })

  test("[TRN-16] it reads the conversation back", () => {
    const messages: ModelMessage[] = [
      { role: "person", text: "my cat is called Ada" },
      { role: "agent", parts: [{ type: "text", text: "Nice." }] },
      { role: "person", text: "she is grey" },
      { role: "person", text: "what did I say first?" },
    ]
    expect(spoken(asking("", { messages }))).toContain("> my cat is called Ada")
    const last = [...messages.slice(0, 3), { role: "person", text: "what did I say before?" } as const]
    expect(spoken(asking("", { messages: last }))).toContain("> she is grey")
    const recap = [...messages.slice(0, 3), { role: "person", text: "recap please" } as const]
    expect(spoken(asking("", { messages: recap }))).toContain("1. my cat is called Ada\n2. she is grey")
  })

  test("[TRN-16] it thinks aloud before it answers", () => {
    const script = scriptFor(asking("think about the sea"))
    expect(script.map((beat) => beat.type)).toEqual(["think", "say"])
    expect(script[0]).toMatchObject({ text: expect.stringContaining("the sea") })
  })

  test.each([
    ['<message type="build">\n{"ok":true}\n</message>'],
    ['<context kind="skill" title="Greet" untrusted="true">\nGreet people.\n</context>'],
    ["hello"],
  ])("[TRN-10] a message that failed does not fail the next one: %s", (next) => {
    for (const how of ["fail", "fail every time", "fail twice"])
      expect(scriptFor(asking(`${how}\n\n${next}`))[0]).toMatchObject({ type: "say" })
    expect(scriptFor(asking(`${next}\n\nfail`))[0]).toMatchObject({ type: "fail" })
  })

  test("[TRN-10] it fails on request, for good or for now", () => {
    expect(scriptFor(asking("fail"))).toMatchObject([{ type: "fail", transient: false }])
    expect(scriptFor(asking("Please fail every time"))).toEqual([
      { type: "fail", transient: true, message: expect.any(String) },
    ])
    expect(scriptFor(asking("fail halfway"))).toMatchObject([
      { type: "say" },
      { type: "fail", transient: true, times: 1 },
      { type: "say" },
    ])
    expect(scriptFor(asking("why did the test fail?"))[0]).toMatchObject({ type: "say" })
  })

  test.each([
    ["fail twice", 2],
    ["fail once", 1],
    ["fail for now", 1],
    ["fail three times", 3],
    ["fail 7 times", 7],
    ["fail 999 times", 100],
  ])("[TRN-10] %s", (text, times) => {
    expect(scriptFor(asking(text))).toMatchObject([
      { type: "fail", transient: true, times },
      { type: "say", text: `That worked, at try number ${times + 1}.` },
    ])
  })

  test("[TRN-12] it asks the person through the tool for that, and uses the answer", () => {
    const script = scriptFor(asking("Please ask me something", { tools: [askTool] }))
    expect(script.at(-1)).toEqual({
      type: "call",
      name: "ask_person",
      input: { question: "What shall I bring you?", options: ["Tea", "Coffee", "Surprise me"] },
    })
    expect(spoken(asking("ask me"))).toContain("no `ask_person` tool")
    expect(spoken(asking("what did I ask?"))).not.toContain("ask_person")
  })

  test.each([
    ["Tea", "You answered **Tea**"],
    ["Coffee", "You answered **Coffee**"],
    ["Surprise me", "cocoa"],
    ["Nobody answered.", "The answer was: Nobody answered."],
  ])("[TRN-12] after the answer %s it goes on", (output, answer) => {
    const messages: ModelMessage[] = [
      { role: "person", text: "ask me" },
      { role: "agent", parts: [{ type: "tool", call: "c", name: "ask_person", input: {} }] },
      { role: "tools", results: [{ call: "c", name: "ask_person", outcome: "done", output }] },
    ]
    expect(spoken(asking("", { messages, tools: [askTool] }))).toContain(answer)
  })

  test("[TRN-16] it uses some tool when none is named", () => {
    expect(scriptFor(asking("use a tool", { tools: [clockTool] })).at(-1)).toEqual({
      type: "call",
      name: "current_time",
      input: {},
    })
    expect(spoken(asking("use a tool", { tools: [weatherTool] }))).toContain("`weather`: The weather")
    expect(spoken(asking("use a tool"))).toContain("no tools")
  })

  test("[TRN-16] whatever is written, the same request has the same answer, and there is one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const script = scriptFor(asking(text))
        expect(script.length).toBeGreaterThan(0)
        expect(scriptFor(asking(text))).toEqual(script)
      }),
    )
  })

  test("[TRN-15] a hostile message is read in no time", () => {
    for (const text of ["what I ", "use a {", "count to ", "think about ", "which "].map((part) =>
      part.repeat(20_000),
    )) {
      const began = performance.now()
      scriptFor(asking(text, { tools: [weatherTool] }))
      expect(performance.now() - began).toBeLessThan(250)
    }
  })

  test("[TRN-16] a word that looks like a tool does not hide another wish", () => {
    expect(spoken(asking("use some markdown"))).toContain("# A tour of markdown")
  })

  test("the words of a text join to the text", () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => words(text).join("") === text))
  })

  test("[MEM-2] remembers, tells and forgets with the tools of memory, and says so without them", () => {
    const tools = ["memory_write", "memory_list", "memory_delete"].map((name) => ({ ...clockTool, name }))
    const script = (text: string, offered = tools) => scriptFor(asking(text, { tools: offered }))
    expect(script("Please remember that I want Metric units, always!")).toEqual([
      {
        type: "call",
        name: "memory_write",
        input: {
          scope: "user",
          name: "i-want-metric-units-always",
          description: "I want Metric units, always!",
          type: "user",
          body: "I want Metric units, always!",
        },
      },
    ])
    expect(script("remember 喜欢茶")).toMatchObject([{ input: { name: "note", description: "喜欢茶" } }])
    expect(script("What do you remember about me?")).toEqual([{ type: "call", name: "memory_list", input: {} }])
    expect(script("forget metric-units.")).toMatchObject([{ name: "memory_delete", input: { name: "metric-units" } }])
    expect(spoken(asking("remember that I like tea"))).toContain("no memory")
    expect(spoken(asking("what do you remember?"))).toContain("no memory")
  })

  test("[MEM-2] says in words what the tools of memory answered", () => {
    const answered = (name: string, output: Json) =>
      spoken(asking("", { messages: [{ role: "tools", results: [{ call: "c", name, outcome: "done", output }] }] }))
    expect(answered("memory_write", { name: "tea" })).toContain("`forget tea`")
    expect(answered("memory_list", { memories: [] })).toContain("nothing yet")
    expect(answered("memory_list", { memories: [{ name: "tea", description: "Green" }] })).toContain("- `tea`: Green")
    expect(answered("memory_delete", { name: "tea", deleted: true })).toBe("Forgotten: `tea`.")
    expect(answered("memory_delete", { name: "tea", deleted: false })).toBe("There was no such memory.")
  })

  test("[MEM-8] what memory put before a message is no part of what the person said", () => {
    const notes = '<notes from="memory">\nBackground.\n- tea (user, user, by the person, 2026-01-02): Green\n</notes>'
    const messages = [
      { role: "person", text: `${notes}\n\nmy cat is called Ada` },
      { role: "agent", parts: [{ type: "text", text: "Hi." }] },
      { role: "person", text: "recap please" },
    ] as const
    expect(spoken(asking("", { messages }))).toContain("1. my cat is called Ada")
    expect(spoken(asking("", { messages: [{ role: "person", text: `${notes}\n\nsay hello` }] }))).toBe("hello")
  })

  test("[CMP-15] what is attached is no part of what was said", () => {
    const attached = '[attachment notes.md]\n\n<attachment name="notes.md" type="text/markdown">\nfail\n</attachment>'
    expect(scriptFor(asking(`say hello ${attached}`))).toEqual(scriptFor(asking("say hello")))
    expect(JSON.stringify(scriptFor(asking(attached)))).toContain("You attached 1")
  })
})

describe("files, time and summaries", () => {
  const offering = (text: string, ...names: readonly string[]) => ({
    ...asking(text),
    tools: names.map((name) => ({ name, description: "", inputSchema: {} })),
  })

  it("[TRN-16] writes a file and wakes itself up with the agent's tools, and says so where there are none", () => {
    const written = scriptFor(offering("Please write a file notes/a.md with ideas", "write_file"))
    expect(written.at(-1)).toMatchObject({ type: "call", name: "write_file", input: { path: "notes/a.md" } })
    expect(scriptFor(offering("write a file a.md"))).toMatchObject([{ type: "say" }])
    const asleep = scriptFor(offering("wake up in 10 seconds", "request_wakeup"))
    expect(asleep.at(-1)).toMatchObject({ name: "request_wakeup", input: { when: { delayMs: 10_000 } } })
  })

  it("[CPT-2] sums up what was asked, beginning with a sentence", () => {
    const text =
      "Summary of what came before:\n\nEarlier.\n\n---\n\nThe conversation:\n\n## Person\nplant tulips\n\n## Agent\nok"
    const [said] = scriptFor({ ...asking(text), instructions: SUMMARY_INSTRUCTIONS })
    expect(said).toMatchObject({ type: "say", text: expect.stringContaining("plant tulips") })
    expect(said?.type === "say" ? said.text : "").toMatch(/^The person began with “plant tulips”\.\nEarlier\.\n/)
  })

  it("[TRN-16] answers what woke it, not the note that says so", () => {
    const text = "say Good morning.\n\n[You asked to be woken with this. Nobody is at the keyboard.]"
    expect(scriptFor(asking(text))).toEqual([{ type: "say", text: "Good morning." }])
  })
})

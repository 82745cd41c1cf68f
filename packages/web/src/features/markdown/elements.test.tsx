import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Code } from "./Code.tsx"
import { codeOf } from "./codeOf.ts"
import { Formulas } from "./Formulas.tsx"
import { formulasIn } from "./formulas.ts"
import { Markdown } from "./Markdown.tsx"
import { rawAsText } from "./rawAsText.ts"
import { placeOf } from "./safeUrl.ts"
import { LINES_AT_ONCE } from "./stretches.ts"

const markup = (text: string, streaming = false) => renderToStaticMarkup(<Markdown text={text} streaming={streaming} />)
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim()
/** Its tags without what they carry, in order. */
const tags = (html: string) => [...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag).join(" ")

describe("tables", () => {
  const table = "| name | price |\n|:--|--:|\n| *rye* | 3 |\n| spelt | `4` |"

  it("[TAB-12, TAB-27] have heads and cells, and scroll from the keyboard where they are wide", () => {
    const html = markup(table)
    expect(html).toMatch(/<div tabindex="0"[^>]*overflow-x-auto[^>]*><table>/i)
    expect(html.match(/<th[ >]/g)).toHaveLength(2)
    expect(html.match(/<td[ >]/g)).toHaveLength(4)
    expect(html).toContain("<em>rye</em>")
    expect(html).toContain("<code>4</code>")
  })

  it("grow row by row while they are written, and cells that are not there yet are empty", () => {
    const html = markup(`${table}\n| oat`, true)
    expect(html.match(/<tr[ >]/g)).toHaveLength(4)
    expect(html).toContain(">oat</td>")
    expect(html.match(/<td[ >]/g)).toHaveLength(6)
  })

  it("are words before the line that makes them tables", () => {
    expect(markup("| name | price |", true)).not.toContain("<table>")
    expect(plain(markup("| name | price |", true))).toContain("| name | price |")
  })
})

describe("code", () => {
  it("says what it is written in, or that it is text", () => {
    expect(markup("```rust\nfn a() {}\n```")).toMatch(/aria-label="rust code".*>rust<\/span>.*fn a\(\) \{\}/s)
    expect(markup("```\nplain\n```")).toMatch(/aria-label="text code".*plain/s)
    expect(markup("    indented")).toMatch(/aria-label="text code".*indented/s)
  })

  it("keeps its lines and spaces, and what looks like markdown or tags in it", () => {
    const html = markup("```py\ndef a():\n    return '**x** <b>'\n\n\n# end\n```")
    expect(html).toContain("def a():\n    return &#x27;**x** &lt;b&gt;&#x27;\n\n\n# end")
    expect(html).not.toMatch(/<strong>|<b>|<h1>/)
  })

  it("within a line has no frame", () => {
    const html = markup("Call `a < b` **now**")
    expect(html).toContain("<code>a &lt; b</code>")
    expect(html).not.toContain("<figure")
  })

  it("in a list or a quote stays in it, with its frame", () => {
    expect(tags(markup("- a\n\n  ```sh\n  ls\n  ```\n- b"))).toMatch(/^div .*ul li .*figure .*pre code .*li/)
    expect(markup("> ```sh\n> ls\n> ```")).toMatch(/<blockquote>.*aria-label="sh code".*ls.*<\/blockquote>/s)
  })

  it("[TAB-7] that is long is drawn in stretches of whole lines, and all of it is there", () => {
    const lines = Array.from({ length: LINES_AT_ONCE * 2 + 5 }, (_, index) => `line ${index}`)
    const html = renderToStaticMarkup(<Code language="text" text={lines.join("\n")} />)
    const stretches = [...html.matchAll(/<span class="block[^>]*>([^<]*)<\/span>/g)].map(([, text]) => text)
    expect(stretches).toHaveLength(3)
    expect(stretches.join("\n")).toBe(lines.join("\n"))
  })

  it("is read from what markdown found, also where it found little", () => {
    const text = { type: "text", value: "a\nb\n" }
    const code = (className?: unknown) => ({ type: "element", properties: { className }, children: [text] })
    expect(codeOf({ type: "element", children: [code(["x", "language-ts"])] })).toEqual({
      language: "ts",
      text: "a\nb",
    })
    expect(codeOf({ type: "element", children: [code()] }).language).toBe("text")
    expect(codeOf({ type: "element", children: [] })).toEqual({ language: "text", text: "" })
    expect(codeOf(undefined)).toEqual({ language: "text", text: "" })
  })
})

describe("lists", () => {
  it("of tasks show what is done and what is not, and are not for clicking", () => {
    const html = markup("- [x] mix\n- [ ] bake\n- eat")
    expect(html.match(/<input[^>]*>/g)).toHaveLength(2)
    for (const [box = ""] of html.matchAll(/<input[^>]*>/g)) expect(box).toContain('disabled=""')
    expect(html).toMatch(/aria-label="done" checked=""[^>]*> mix/)
    expect(html).toMatch(/aria-label="to do"\/> bake/)
  })

  it("stand in one another, numbered ones from where they begin", () => {
    expect(tags(markup("- a\n  - b\n    - c\n- d"))).toBe("div div ul li ul li ul li li")
    const html = markup("3. three\n4. four\n   - inner")
    expect(html).toMatch(/<ol start="3"/)
    expect(html).toMatch(/four\s*<ul[^>]*>\s*<li[^>]*>inner/)
  })

  it("an item that is only begun is there while it is written", () => {
    expect(markup("- one\n- tw", true).match(/<li[ >]/g)).toHaveLength(2)
    expect(plain(markup("- one\n- two **bo", true))).toBe("one two bo")
  })
})

describe("[TAB-7] what is still being written", () => {
  it.each([
    ["some *slant", "<em>slant</em>"],
    ["some ~~gone", "<del>gone</del>"],
    ["some `cod", "<code>cod</code>"],
    ["some ***both", "<strong>"],
    ["# Hea", "<h1>Hea</h1>"],
    ["> quo **t", "<blockquote>"],
  ])("%j is drawn as what it will be", (text, drawn) => {
    expect(markup(text, true)).toContain(drawn)
  })

  it("is what it says when nothing more comes", () => {
    expect(markup("some **bol")).toContain("some **bol")
    expect(markup("some `cod")).toContain("some `cod")
  })

  it("half a link leads nowhere, and shows no address", () => {
    const html = markup("see [the docs](https://exam", true)
    expect(html).not.toContain("<a ")
    expect(plain(html)).toContain("the docs")
    expect(html).not.toContain("https://exam")
  })

  it("code has its frame from its first line on", () => {
    expect(markup("Look:\n\n```ts\nconst a", true)).toMatch(/<p>Look:<\/p>.*aria-label="ts code".*const a/s)
  })
})

describe("links", () => {
  it("[SEC-6] written out, in angles and by reference are marked alike", () => {
    for (const text of ["https://example.com/a", "<https://example.com/a>", "[x][r]\n\n[r]: https://example.com/a"]) {
      const html = markup(`See ${text}`)
      expect(html, text).toContain('href="https://example.com/a" target="_blank" rel="noopener noreferrer nofollow"')
      expect(html, text).toContain('title="Opens example.com"')
    }
  })

  it("[SEC-6] that lead into the page or run something are words", () => {
    for (const address of ["/v1/agents", "#settings", "javascript:alert(1)", "data:text/html,x"]) {
      const html = markup(`[press **me**](${address})`)
      expect(html, address).not.toContain("<a ")
      expect(plain(html)).toContain("press me")
    }
  })

  it("[SEC-6] say their real place, whatever they are called", () => {
    expect(markup("[https://bank.example](https://evil.example:8443/x)")).toContain('title="Opens evil.example:8443"')
    expect(placeOf("mailto:ada@example.com?subject=x")).toBe("ada@example.com")
  })

  it("[SEC-6] a picture without a name, or from nowhere, still has words", () => {
    expect(plain(markup("![](https://example.com/a.png)"))).toBe("picture")
    expect(plain(markup("![a cat](/files/cat.png)"))).toBe("a cat (not shown)")
    expect(markup("![a cat](/files/cat.png)")).not.toContain("<a ")
  })
})

describe("formulas and money", () => {
  const set = (text: string) => {
    const formulas = formulasIn(text)
    return formulas.has ? renderToStaticMarkup(<Formulas text={formulas.text} streaming={false} />) : markup(text)
  }

  it("prices are read as prices, also beside a formula", () => {
    expect(plain(set("From $5 to **$10**."))).toBe("From $5 to $10.")
    const html = set("Between $5 and $10, with $x^2$ of them.")
    expect(html.match(/class="katex"/g)).toHaveLength(1)
    expect(plain(html)).toMatch(/^Between \$5 and \$10, with /)
  })

  it("one that has a line for itself is set off from the text, one in a line is not", () => {
    expect(set("So:\n\n$$\nE = mc^2\n$$")).toContain("katex-display")
    expect(set("So $$E = mc^2$$ it is")).not.toContain("katex-display")
    expect(set("- first\n  \\[x = 1\\]")).toMatch(/<li>.*katex-display.*<\/li>/s)
    expect(set("- first\n    - then $x^2$")).toMatch(/<li>.*<li>then .*class="katex".*<\/li>/s)
  })

  it("code about dollars stays as it was written, also beside a formula", () => {
    const html = set("Say `echo $HOME $USER` for $x$.")
    expect(html).toContain("<code>echo $HOME $USER</code>")
    expect(html.match(/class="katex"/g)).toHaveLength(1)
  })
})

it("[SEC-6] tags become text wherever in a tree they stand, and nothing else changes", () => {
  const raw = () => ({ type: "raw", value: "<b>" })
  const tree = { type: "root", children: [raw(), { type: "element", children: [{ type: "text", value: "x" }, raw()] }] }
  rawAsText()(tree)
  const text = { type: "text", value: "<b>" }
  expect(tree).toEqual({
    type: "root",
    children: [text, { type: "element", children: [{ type: "text", value: "x" }, text] }],
  })
})

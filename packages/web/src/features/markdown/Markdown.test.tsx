import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it, vi } from "vitest"
import { Formulas } from "./Formulas.tsx"
import { Markdown } from "./Markdown.tsx"
import { safeUrl } from "./safeUrl.ts"

const markup = (text: string, streaming = false) => renderToStaticMarkup(<Markdown text={text} streaming={streaming} />)

describe("safe markdown", () => {
  it("[SEC-6] tags are shown as they were written", () => {
    expect(markup("a <b>bold</b> <script>x</script>")).toContain(
      "a &lt;b&gt;bold&lt;/b&gt; &lt;script&gt;x&lt;/script&gt;",
    )
  })

  it("[SEC-6] a link is marked, named and opened without a way back", () => {
    const html = markup("[docs](https://example.com/docs)")
    expect(html).toContain('href="https://example.com/docs"')
    expect(html).toContain('rel="noopener noreferrer nofollow"')
    expect(html).toContain('target="_blank"')
    expect(html).toContain('title="Opens example.com"')
    expect(html).toContain(", opens in a new tab")
  })

  it("[SEC-6] a picture is named and linked, never loaded", () => {
    const html = markup("![a cat](https://example.com/cat.png)")
    expect(html).not.toContain("<img")
    expect(html).toContain("a cat")
  })

  it("code keeps its text and has a copy button", () => {
    const html = markup("```ts\nconst a = 1 < 2\n```")
    expect(html).toContain("const a = 1 &lt; 2")
    expect(html).toContain('aria-label="Copy code"')
    expect(html).toContain('aria-label="ts code"')
  })

  it("[TAB-7] plain words, code that stands by itself and prose are drawn alike", () => {
    expect(markup("One.\n\nTwo.")).toBe('<div class="prose"><p>One.</p><p>Two.</p></div>')
    expect(markup("Look:\n\n```py\nx = 1\n```\n\n*End*")).toMatch(
      /<p>Look:<\/p><figure.*x = 1.*<\/figure>.*<em>End<\/em>/s,
    )
    expect(markup("- a\n\n  ```py\n  x\n  ```")).toContain('aria-label="py code"')
  })

  it("a formula is set when its chunk is there, and shown as it was written until then", async () => {
    // Other test files of this process may have loaded the chunk already.
    vi.resetModules()
    const fresh = await import("./Markdown.tsx")
    expect(renderToStaticMarkup(<fresh.Markdown text="Take $x^2$." streaming={false} />)).toContain("Take $x^2$.")
    const set = renderToStaticMarkup(<Formulas text="Take $x^2$." streaming={false} />)
    expect(set).toContain("katex")
    expect(set).toContain("<msup>")
    expect(renderToStaticMarkup(<Formulas text={"$$\nx\n$$"} streaming={false} />)).toContain("katex-display")
    expect(renderToStaticMarkup(<Formulas text="$\\frac{1$" streaming={false} />)).toContain("katex-error")
  })

  it("shows tables, lists and what is still being written", () => {
    expect(markup("| a | b |\n|---|--:|\n| 1 | 2 |")).toContain("<table>")
    expect(markup("- one\n- two")).toContain("<li>one</li>")
    expect(markup("some **bol", true)).toContain("<strong>bol</strong>")
  })

  it.each([
    ["https://example.com", "https://example.com/"],
    ["mailto:ada@example.com", "mailto:ada@example.com"],
    ["javascript:alert(1)", undefined],
    ["/v1/agents", undefined],
    ["//evil.example", undefined],
    ["https://host@evil.example", undefined],
    ["file:///etc/passwd", undefined],
    [undefined, undefined],
  ])("[SEC-6] links only to where a message may: %j", (address, expected) => {
    expect(safeUrl(address)).toBe(expected)
  })
})

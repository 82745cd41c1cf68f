import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Markdown } from "./Markdown.tsx"
import { safeUrl } from "./safeUrl.ts"

const markup = (text: string, streaming = false) => renderToStaticMarkup(<Markdown text={text} streaming={streaming} />)

const payloads = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "text <svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
  '<iframe src="https://evil.example"></iframe>',
  "<style>body{background:url(https://evil.example)}</style>",
  '<a href="javascript:alert(1)">click</a>',
  "[click](javascript:alert(1))",
  "[click](JaVaScRiPt:alert(1))",
  "[click](data:text/html,<script>alert(1)</script>)",
  "[click](vbscript:x)",
  "[click](\u0001javascript:alert(1))",
  "[x]: javascript:alert(1)\n\n[x]",
  "<javascript:alert(1)>",
  "![pixel](https://evil.example/p.png)",
  "![p][r]\n\n[r]: https://evil.example/p.png",
  "![x](data:image/svg+xml;base64,PHN2Zy8+)",
  "```html\n<script>alert(1)</script>\n```",
  "```js onload=alert(1)\nx\n```",
  "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
  "<div><div><script>\nalert(1)\n</script></div></div>",
  "<!-- <script>alert(1)</script> -->",
  "[a](https://user:pass@evil.example/)",
]

describe("safe markdown", () => {
  it.each(payloads)("[SEC-6] is harmless, cut at every place: %j", (payload) => {
    for (let end = 1; end <= payload.length; end++) {
      const cut = payload.slice(0, end)
      expectHarmless(markup(cut, true), cut)
    }
    expectHarmless(markup(payload), payload)
  })

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
    expect(html).toContain(", opens elsewhere")
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

/** Reads the tags that a browser would see, so that the same words inside text do not count. */
function expectHarmless(html: string, source: string): void {
  const tags = html.match(/<[^>]*>/g) ?? []
  for (const tag of tags) {
    expect(tag, source).not.toMatch(/^<\/?(script|img|iframe|style|object|embed|link|meta|base|form|foreignobject)\b/i)
    expect(tag, source).not.toMatch(/\son\w+\s*=/i)
    expect(tag, source).not.toMatch(/\s(src|srcset|srcdoc|action|poster|background|xlink:href)\s*=/i)
    expect(/\shref="([^"]*)"/.exec(tag)?.[1] ?? "https:", source).toMatch(/^(https?:|mailto:)/)
    if (/^<a\s/.test(tag)) expect(tag, source).toContain("noopener")
  }
}

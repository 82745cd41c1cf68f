/** Reads the tags that a browser would see in markup, so that the same words inside text do not count. */

const FORBIDDEN =
  /^<(?:script|img|image|iframe|frame|object|embed|style|link|meta|base|form|foreignobject|picture|source|video|audio|template|use|animate|set|textarea|select|button(?![^>]*type="button"))\b/i
const ATTRIBUTE =
  /\s(?:on\w+|src|srcset|srcdoc|action|formaction|poster|background|xlink:href|autofocus)\s*=|\sid="(?!user-content-|footnote-label")/i
const LINK = /\shref\s*=\s*["']?([^"'\s>]*)/i
const STYLE = /\sstyle="[^"]*(?:url\(|expression|import|position|behavior)/i

export function harmIn(html: string): readonly string[] {
  const harm: string[] = []
  const hasFormula = html.includes('<span class="katex">')
  for (const found of html.matchAll(/<[a-z][^>]*>/gi)) {
    const [tag] = found
    // KaTeX's own output is inside a KaTeX span, and may contain SVG.
    if (/^<math\b/.test(tag) && !html.slice(0, found.index).endsWith('<span class="katex-mathml">')) harm.push(tag)
    if (/^<svg\b/.test(tag) && !hasFormula && !tag.includes("lucide")) harm.push(tag)
    if (FORBIDDEN.test(tag) || ATTRIBUTE.test(bare(tag)) || STYLE.test(tag)) harm.push(tag)
    const link = LINK.exec(tag)?.[1]
    if (link !== undefined && !/^(?:https?:|mailto:)/.test(link)) harm.push(tag)
    if (/^<a\s/.test(tag) && !tag.includes("noopener")) harm.push(tag)
  }
  return harm
}

/** Without the values in quotes, except those of ids. */
function bare(tag: string): string {
  return tag.replace(/(\s(?!id=)[\w:-]+=)"[^"]*"/g, '$1""')
}

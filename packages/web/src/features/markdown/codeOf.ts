/** Language and text of a fenced code block, read from its parsed tree. */
type Tree = {
  readonly type: string
  readonly value?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: readonly Tree[]
}

export type Code = { readonly language: string; readonly text: string }

export function codeOf(pre: Tree | undefined): Code {
  const code = pre?.children?.[0]
  return { language: languageOf(code), text: textOf(code).replace(/\n$/, "") }
}

function languageOf(code: Tree | undefined): string {
  const names = code?.properties?.className
  const named = Array.isArray(names) ? names.find((name) => String(name).startsWith("language-")) : undefined
  return named === undefined ? "text" : String(named).slice("language-".length)
}

function textOf(tree: Tree | undefined): string {
  if (tree === undefined) return ""
  return typeof tree.value === "string" ? tree.value : (tree.children ?? []).map(textOf).join("")
}

import type { TokenKind } from "./tokens.ts"
import { useTokens } from "./useTokens.ts"

const looks: Readonly<Record<TokenKind, string>> = {
  comment: "text-muted italic",
  string: "text-code-string",
  number: "text-code-number",
  keyword: "text-code-keyword",
  call: "text-code-call",
  tag: "text-code-call",
}

/** Code with colors, where they help. */
export function Tokens({ language, text }: { readonly language: string; readonly text: string }) {
  const tokens = useTokens(language, text)
  if (tokens === undefined) return text
  return tokens.map((token, index) =>
    token.kind === undefined ? (
      token.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens are identified by index
      <span key={index} className={looks[token.kind]}>
        {token.text}
      </span>
    ),
  )
}

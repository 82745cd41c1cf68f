import { useEffect, useMemo, useState } from "react"
import type { Token } from "./tokens.ts"

type Tokenizer = (language: string, code: string) => readonly Token[] | undefined

let loaded: Tokenizer | undefined
let loading: Promise<Tokenizer> | undefined

/** The colored tokens of code, once the tokenizer is loaded: with the first code block that is shown. */
export function useTokens(language: string, code: string): readonly Token[] | undefined {
  const [tokenize, setTokenize] = useState(() => loaded)
  useEffect(() => {
    if (tokenize !== undefined) return
    loading ??= import("./tokens.ts").then((module) => module.tokensOf)
    loading.then(
      (made) => {
        loaded = made
        setTokenize(() => made)
      },
      // Without colors it can be read too; the next block tries again.
      () => {
        loading = undefined
      },
    )
  }, [tokenize])
  return useMemo(() => tokenize?.(language, code), [tokenize, language, code])
}

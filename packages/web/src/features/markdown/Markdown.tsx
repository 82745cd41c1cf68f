/** Text written by a model or a person, as safe markdown (SEC-6). Loaded as its own chunk: see LazyMarkdown.tsx. */

import { lazy, memo, Suspense, useMemo } from "react"
import { t } from "../../texts/en/markdown.ts"
import { Code } from "./Code.tsx"
import { formulasIn } from "./formulas.ts"
import { formatted } from "./limits.ts"
import { PlainText } from "./PlainText.tsx"
import { Prose } from "./Prose.tsx"
import { piecesOf, plainParagraphs } from "./pieces.ts"
import { usePaced } from "./usePaced.ts"

export type MarkdownProps = { readonly text: string; readonly streaming: boolean }

const Formulas = lazy(() => import("./Formulas.tsx").then((module) => ({ default: module.Formulas })))

export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps) {
  const pieces = piecesOf(text)
  const isFormatted = formatted(pieces, (prose) => plainParagraphs(prose) !== undefined)
  return (
    <div className="prose" data-streaming={streaming || undefined}>
      {pieces.map((piece, index) => {
        const isLast = index === pieces.length - 1
        return piece.kind === "code" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by index
          <Code key={index} language={piece.language} text={piece.text} streaming={streaming && isLast} />
        ) : isFormatted[index] ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by index
          <ProsePiece key={index} text={piece.text} streaming={streaming && isLast} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by index
          <PlainText key={index} text={piece.text} />
        )
      })}
      {isFormatted.includes(false) && <p className="text-muted text-sm">{t("partlyPlain")}</p>}
    </div>
  )
})

const ProsePiece = memo(function ProsePiece({ text, streaming }: MarkdownProps) {
  const shown = usePaced(text, streaming)
  const paragraphs = useMemo(() => plainParagraphs(shown), [shown])
  const formulas = useMemo(() => formulasIn(shown), [shown])
  if (paragraphs !== undefined)
    return paragraphs.map((paragraph, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs are identified by index
      <p key={index}>{paragraph}</p>
    ))
  const plain = <Prose text={shown} streaming={streaming} />
  if (!formulas.has) return plain
  return (
    <Suspense fallback={plain}>
      <Formulas text={formulas.text} streaming={streaming} />
    </Suspense>
  )
})

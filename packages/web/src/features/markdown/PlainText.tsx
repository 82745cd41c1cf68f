import { memo } from "react"
import { LINES_AT_ONCE, stretchesOf } from "./stretches.ts"

/** Plain text. A long one is split into chunks, so that the browser can skip those outside the view. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <div className="whitespace-pre-wrap break-words">
      {stretchesOf(text).map((stretch, index, all) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: chunks are identified by index
        <Stretch key={index} text={stretch} isWhole={index < all.length - 1} />
      ))}
    </div>
  )
}

const Stretch = memo(function Stretch({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }) {
  if (!isWhole) return text
  return (
    <span
      className="block min-h-[1lh]"
      style={{ contentVisibility: "auto", containIntrinsicBlockSize: `auto ${LINES_AT_ONCE}lh` }}
    >
      {text}
    </span>
  )
})

/** The size of all text. The choice is stored in this browser; `theme.js` applies it before the first paint. */
import { useSyncExternalStore } from "react"
import { browserKeep, type Keep } from "../keep/keep.ts"

export const textSizes = ["small", "normal", "large", "larger"] as const
export type TextSize = (typeof textSizes)[number]

const textSizeKey = "parlor.text"

function textSizeIn(keep: Keep): TextSize {
  const kept = keep.read(textSizeKey)
  return textSizes.find((size) => size === kept) ?? "normal"
}

const listeners = new Set<() => void>()
/** Without storage, the choice lasts as long as the page. */
let chosen: TextSize | undefined

/** The chosen size and a setter. Everything is measured in `rem`, so nothing else has to change. */
export function useTextSize(): readonly [TextSize, (size: TextSize) => void] {
  return [useSyncExternalStore(subscribe, current, () => "normal" as const), choose]
}

function choose(size: TextSize): void {
  chosen = size
  browserKeep.write(textSizeKey, size === "normal" ? undefined : size)
  if (size === "normal") delete document.documentElement.dataset.text
  else document.documentElement.dataset.text = size
  for (const listener of listeners) listener()
}

function current(): TextSize {
  chosen ??= textSizeIn(browserKeep)
  return chosen
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

import { type RefObject, useLayoutEffect } from "react"

/** Makes a text box as tall as its text; its style says how tall it may get. */
export function useGrowing(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    element.style.height = "auto"
    element.style.height = `${element.scrollHeight}px`
  }, [box, text])
}

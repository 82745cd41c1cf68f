import { type RefObject, useCallback, useEffect, useState } from "react"

/** Whether this browser can read aloud. */
export const canSpeak = typeof window !== "undefined" && "speechSynthesis" in window

/** Reads the message around an element aloud, as it is shown: without code marks and without Markdown. */
export function useSpeech(inside: RefObject<HTMLElement | null>): {
  readonly isSpeaking: boolean
  readonly toggle: () => void
} {
  const [isSpeaking, setSpeaking] = useState(false)
  const toggle = useCallback(() => {
    const { speechSynthesis: voice } = window
    voice.cancel()
    if (isSpeaking) return setSpeaking(false)
    const body = inside.current?.closest("article")?.querySelector<HTMLElement>("[data-body]")
    const words = new SpeechSynthesisUtterance(body?.innerText ?? "")
    words.onend = () => setSpeaking(false)
    words.onerror = () => setSpeaking(false)
    voice.speak(words)
    setSpeaking(true)
  }, [inside, isSpeaking])
  useEffect(() => (isSpeaking ? () => window.speechSynthesis.cancel() : undefined), [isSpeaking])
  return { isSpeaking, toggle }
}

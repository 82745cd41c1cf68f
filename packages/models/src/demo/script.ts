/** What the demo model is about to do: a list of beats, played in order at a pace. */
import type { Json } from "@parlor/core"

export type Beat =
  | { readonly type: "say"; readonly text: string; readonly perSecond?: number }
  | { readonly type: "think"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: Json }
  | { readonly type: "fail"; readonly message: string; readonly transient: boolean }

export type Script = readonly Beat[]

export function say(text: string): Script {
  return [{ type: "say", text }]
}

/** The words of a text, each with the space that follows it, so that joined they are the text again. */
export function words(text: string): readonly string[] {
  return text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text])
}

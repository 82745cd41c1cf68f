/** A script of the demo model: beats that are played in order, at a fixed pace. */
import type { Json } from "@parlor/core"

export type Beat =
  | { readonly type: "say"; readonly text: string; readonly perSecond?: number }
  | { readonly type: "think"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: Json }
  /** `times`: how often it fails before it continues; always, if absent. */
  | { readonly type: "fail"; readonly message: string; readonly transient: boolean; readonly times?: number }

export type Script = readonly Beat[]

export function say(text: string): Script {
  return [{ type: "say", text }]
}

/** The words of a text, each with the space after it, so that joining them gives the text. */
export function words(text: string): readonly string[] {
  return text.match(/^\s*\S+\s*|\S+\s*/g) ?? (text === "" ? [] : [text])
}

/** The script without the words that were already said, if it begins with them; otherwise all of it. */
export function withoutOpening(script: Script, said: string): Script {
  const rest: Beat[] = []
  let left = said
  for (const beat of script) {
    if (beat.type !== "say" || left === "") {
      if (beat.type !== "think" || left === "") rest.push(beat)
    } else if (beat.text.startsWith(left)) {
      rest.push({ ...beat, text: beat.text.slice(left.length) })
      left = ""
    } else if (left.startsWith(beat.text)) left = left.slice(beat.text.length)
    else return script
  }
  return rest.length > 0 ? rest : say("(That was all.)")
}

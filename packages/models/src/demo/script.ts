/** What the demo model is about to do: a list of beats, played in order at a pace. */
import type { Json } from "@parlor/core"

export type Beat =
  | { readonly type: "say"; readonly text: string; readonly perSecond?: number }
  | { readonly type: "think"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: Json }
  /** `times`: how often, before it goes on instead; always, when it does not say. */
  | { readonly type: "fail"; readonly message: string; readonly transient: boolean; readonly times?: number }

export type Script = readonly Beat[]

export function say(text: string): Script {
  return [{ type: "say", text }]
}

/** The words of a text, each with the space that follows it, so that joined they are the text again. */
export function words(text: string): readonly string[] {
  return text.match(/^\s*\S+\s*|\S+\s*/g) ?? (text === "" ? [] : [text])
}

/** The script without the words that were said already, when it begins with them; otherwise the whole of it. */
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

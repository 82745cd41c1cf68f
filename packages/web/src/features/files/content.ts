/** Detects from a file's bytes how to show it. Pure. */
import type { FileRead } from "@parlor/client"

/** Longer texts are shown in part and can't be edited here. */
export const SHOWN_CHARACTERS = 400_000

export type Content =
  | { readonly kind: "text"; readonly text: string; readonly isWhole: boolean }
  | { readonly kind: "picture"; readonly mediaType: string }
  | { readonly kind: "binary" }

/** SVG can run scripts, so it is shown as text. */
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

export function contentOf({ bytes, mediaType }: Pick<FileRead, "bytes" | "mediaType">): Content {
  const type = mediaType.split(";", 1)[0]?.trim() ?? ""
  if (PICTURES.has(type)) return { kind: "picture", mediaType: type }
  const text = textIn(bytes)
  if (text === undefined) return { kind: "binary" }
  if (text.length <= SHOWN_CHARACTERS) return { kind: "text", text, isWhole: true }
  return { kind: "text", text: beginningOf(text), isWhole: false }
}

/** Cuts at a line end, unless that would leave too little. */
function beginningOf(text: string): string {
  const end = text.lastIndexOf("\n", SHOWN_CHARACTERS - 1) + 1
  return text.slice(0, end > SHOWN_CHARACTERS / 2 ? end : SHOWN_CHARACTERS).toWellFormed()
}

/** Undefined for bytes that are not UTF-8 or contain NUL. */
export function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The line numbers as one text. A trailing newline doesn't start a line. */
export function lineNumbers(text: string): string {
  const ends = text.split("\n").length
  const count = text.endsWith("\n") ? ends - 1 : ends
  return Array.from({ length: Math.max(1, count) }, (_, index) => index + 1).join("\n")
}

import { extname } from "node:path"
import { Complaint } from "./complaint.ts"

const types: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".md": "text/markdown",
  ".csv": "text/csv",
  ".html": "text/html",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
  ".m4a": "audio/mp4",
  ".weba": "audio/webm",
}

/** By its name; a file with an unknown extension is text if it is valid UTF-8. */
export function mediaTypeOf(path: string, content: Uint8Array): string {
  const known = types[extname(path).toLowerCase()]
  if (known !== undefined) return known
  if (isText(content)) return "text/plain"
  throw new Complaint(`Unsupported file type: ${path}. Use text, PDF, an image or audio.`)
}

function isText(content: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content)
    return !content.includes(0)
  } catch {
    return false
  }
}

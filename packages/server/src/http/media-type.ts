/** The content type of a file. Text is sent as plain text, whatever its name: a browser must never execute it (SEC-6). */
export function mediaTypeOf(path: string, content: Uint8Array): string {
  if (isText(content)) return "text/plain; charset=utf-8"
  const ending = /\.([a-z0-9]+)$/.exec(path.toLowerCase())?.[1] ?? ""
  return BY_ENDING[ending] ?? "application/octet-stream"
}

const BY_ENDING: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  pdf: "application/pdf",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  mp4: "video/mp4",
  zip: "application/zip",
}

/** UTF-8 without a NUL. */
function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content)
    return true
  } catch {
    return false
  }
}

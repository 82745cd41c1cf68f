/** An ACP prompt as a message: its text, and files to attach. */
import { Refusal } from "@parlor/protocol"

/** The fields of a prompt's content blocks that Parlor reads. */
export type AcpPromptBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string; readonly uri?: string | null }
  | { readonly type: "resource_link"; readonly name: string; readonly uri: string }
  | {
      readonly type: "resource"
      readonly resource:
        | { readonly uri: string; readonly mimeType?: string | null; readonly text: string }
        | { readonly uri: string; readonly mimeType?: string | null; readonly blob: string }
    }

export type AcpFile = {
  readonly name: string
  readonly mediaType: string
  readonly content: { readonly text: string } | { readonly base64: string }
}

/** A resource is attached and replaced by its name in the text; a link stays a link. */
export function readAcpPrompt(blocks: readonly AcpPromptBlock[]): {
  readonly text: string
  readonly files: readonly AcpFile[]
} {
  const read = blocks.map(readBlock)
  const text = read.map((one) => one.text).join("")
  const files = read.flatMap(({ file }) => (file === undefined ? [] : [file]))
  if (text.trim() === "" && files.length === 0)
    throw new Refusal("request.invalid", "The prompt has neither text nor files.", "/prompt")
  return { text, files }
}

function readBlock(block: AcpPromptBlock): { readonly text: string; readonly file?: AcpFile } {
  switch (block.type) {
    case "text":
      return { text: block.text }
    case "image":
    case "audio": {
      const name = nameOf(block.uri ?? "") || block.type
      return { text: "", file: { name, mediaType: block.mimeType, content: { base64: block.data } } }
    }
    case "resource_link":
      return { text: `[${block.name}](${block.uri})` }
    case "resource": {
      const { resource } = block
      const name = nameOf(resource.uri) || "resource"
      const content = "text" in resource ? { text: resource.text } : { base64: resource.blob }
      const mediaType =
        "text" in resource ? textType(resource.mimeType) : (resource.mimeType ?? "application/octet-stream")
      return { text: name, file: { name, mediaType, content } }
    }
  }
}

/** Any text is attached as plain text, whatever its MIME type. */
function textType(mimeType: string | null | undefined): string {
  return mimeType?.startsWith("text/") || mimeType === "application/json" ? mimeType : "text/plain"
}

function nameOf(uri: string): string {
  const [path = ""] = uri.split(/[?#]/, 1)
  const last = path.split("/").at(-1) ?? ""
  try {
    return decodeURIComponent(last).replaceAll(/[/\\]/g, "_")
  } catch {
    return last
  }
}

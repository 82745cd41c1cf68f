import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import type { Parlor } from "@parlor/client"
import type { AttachmentView } from "@parlor/protocol"
import { Complaint } from "./complaint.ts"
import { mediaTypeOf } from "./media-type.ts"

/** All files are read before the first upload, so that a typo in the last name sends nothing. */
export async function attachFiles(
  parlor: Pick<Parlor, "attachments">,
  paths: readonly string[],
): Promise<readonly AttachmentView[]> {
  const files = await Promise.all(paths.map(readOne))
  const attachments: AttachmentView[] = []
  for (const { content, ...options } of files) attachments.push(await parlor.attachments.add(content, options))
  return attachments
}

async function readOne(path: string) {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Complaint(`${path} cannot be read: ${error.code === "ENOENT" ? "no such file" : error.message}.`)
  })
  return { content: new Uint8Array(content), name: basename(path), mediaType: mediaTypeOf(path, content) }
}

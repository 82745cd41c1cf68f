/** Server-sent events as bytes. One frame is encoded once and written to every reader. */
import type { StoredChange } from "@parlor/protocol"
import { bodyOf, isJson, type Source } from "./source.ts"

export const KEEP_ALIVE = Buffer.from(": keep-alive\n\n")

export function dataFrame(source: Source, changes: readonly StoredChange[]): string {
  if (isJson(source)) return `event: data\ndata:${bodyOf(source, changes)}\n\n`
  const bytes = Buffer.from(bodyOf(source, changes))
  const text = isText(source) ? bytes.toString("utf8") : bytes.toString("base64")
  return `event: data\n${text
    .split(/\r\n|\r|\n/)
    .map((line) => (line.startsWith(" ") ? `data: ${line}` : `data:${line}`))
    .join("\n")}\n\n`
}

export type Control = {
  /** The reader's position after it. */
  readonly offset: string
  readonly cursor: number
  readonly upToDate: boolean
  readonly closed: boolean
}

export function controlFrame(control: Control): string {
  const { offset, cursor, upToDate, closed } = control
  const tail = `${closed ? "" : `,"streamCursor":"${cursor}"`}${upToDate && !closed ? ',"upToDate":true' : ""}${closed ? ',"streamClosed":true' : ""}`
  return `event: control\ndata:{"streamNextOffset":"${offset}"${tail}}\n\n`
}

export function isText(source: Source): boolean {
  return isJson(source) || source.contentType.toLowerCase().startsWith("text/")
}

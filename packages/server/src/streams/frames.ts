/** Server-sent events as bytes. One frame is encoded once and written to every reader. */
import type { StoredChange } from "@parlor/protocol"
import { bodyOf, isJson, type Source } from "./source.ts"

export const KEEP_ALIVE = Buffer.from(": keep-alive\n\n")

/** `offset` is the reader's position after it: its id (API-19). A frame without one cannot be resumed from. */
export function dataFrame(source: Source, changes: readonly StoredChange[], offset?: string): string {
  const end = offset === undefined ? "\n\n" : `\nid:${offset}\n\n`
  if (isJson(source)) return `event: data\ndata:${bodyOf(source, changes)}${end}`
  const bytes = Buffer.from(bodyOf(source, changes))
  const text = isText(source) ? bytes.toString("utf8") : bytes.toString("base64")
  return `event: data\n${text
    .split(/\r\n|\r|\n/)
    .map((line) => (line.startsWith(" ") ? `data: ${line}` : `data:${line}`))
    .join("\n")}${end}`
}

export type Control = {
  /** The reader's position after it. */
  readonly offset: string
  readonly cursor: number
  readonly upToDate: boolean
  readonly closed: boolean
  /** It follows a data frame with the same id, which an EventSource keeps. */
  readonly isNamed?: boolean
}

export function controlFrame(control: Control): string {
  const { offset, cursor, upToDate, closed, isNamed = false } = control
  const tail = `${closed ? "" : `,"streamCursor":"${cursor}"`}${upToDate && !closed ? ',"upToDate":true' : ""}${closed ? ',"streamClosed":true' : ""}`
  return `event: control\ndata:{"streamNextOffset":"${offset}"${tail}}${isNamed ? "" : `\nid:${offset}`}\n\n`
}

export function isText(source: Source): boolean {
  return isJson(source) || source.contentType.toLowerCase().startsWith("text/")
}

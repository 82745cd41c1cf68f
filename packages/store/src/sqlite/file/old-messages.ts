/** Loaded for databases older than search only: it needs the schemas of rows, which no write needs. */
import { messageText } from "@parlor/core/search"
import { parseRow, type StreamId } from "@parlor/protocol"
import type { Database } from "../connect.ts"
import { SearchWrites } from "../search.ts"

/** Indexes messages of a database older than search, oldest first. */
export function indexOldMessages(db: Database): void {
  const writes = new SearchWrites(db)
  const value = db.prepare("SELECT ord, value FROM rows WHERE stream = ? AND collection = 'messages' AND key = ?")
  const all = db.prepare(
    "SELECT stream, key FROM rows WHERE collection = 'messages' ORDER BY json_extract(value, '$.at'), ord",
  )
  for (const { stream, key } of all.all() as { readonly stream: StreamId; readonly key: string }[]) {
    const row = value.get(stream, key) as { readonly ord: number; readonly value: string }
    const message = parseRow("messages", row.value)
    const text = messageText(message)
    if (text === undefined) continue
    const change = { collection: "messages", key, operation: "insert", ...row, text } as const
    writes.write({ stream, changes: [change], at: message.at })
  }
}

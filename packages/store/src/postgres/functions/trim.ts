/** `parlor_commit` that says which logs are due for trimming (LOG-36). Logs from before are trimmed too. */
import { commitText } from "./commit.ts"

export function trimFunction(now: number): string {
  return `
ALTER TABLE streams ADD COLUMN IF NOT EXISTS trimmed bigint NOT NULL DEFAULT 0;
ALTER TABLE streams ADD COLUMN IF NOT EXISTS trim_to bigint NOT NULL DEFAULT 0;
ALTER TABLE streams ADD COLUMN IF NOT EXISTS trim_at bigint NOT NULL DEFAULT 0;
ALTER TABLE streams ADD COLUMN IF NOT EXISTS kept bigint NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS streams_trim ON streams (trim_at) WHERE trim_at > 0;
UPDATE streams SET trim_to = head, trim_at = ${now} WHERE head > 0;
${commitText({ counted: true, trims: true })}
`
}

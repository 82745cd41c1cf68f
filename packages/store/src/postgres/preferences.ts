/** What people set for themselves (SET-5). */
import type { PersonPreferences, PreferenceRecord } from "@parlor/core"
import { type PreferenceRow, toPreferences } from "../preference-row.ts"
import type { Database, Statement } from "./connect.ts"

export const PREFERENCES_STEP = `
  CREATE TABLE IF NOT EXISTS preferences (
    person text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    value text COLLATE "C" NOT NULL
  );
  DROP TRIGGER IF EXISTS preferences_owner ON preferences;
  CREATE TRIGGER preferences_owner BEFORE INSERT ON preferences FOR EACH ROW EXECUTE FUNCTION parlor_owner();
  DROP TRIGGER IF EXISTS preferences_deleting ON preferences;
  CREATE TRIGGER preferences_deleting BEFORE INSERT ON preferences FOR EACH ROW EXECUTE FUNCTION parlor_deleting();
`

const ONE: Statement = { name: "preferences", text: "SELECT version, value FROM preferences WHERE person = $1" }
/** Two first writers: the second one finds the row of the first. */
const ADD = "INSERT INTO preferences (person, version, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
const CHANGE = "UPDATE preferences SET version = $2, value = $3 WHERE person = $1 AND version = $2 - 1"

export function preferencesPart(db: Database): PersonPreferences {
  return {
    read: async (person) => {
      const [row] = await db.lookUp<PreferenceRow>(ONE, [person])
      return row && toPreferences(row)
    },
    write: (person, record) => writePreferences(db, person, record),
  }
}

function writePreferences(db: Database, person: string, { version, value }: PreferenceRecord): Promise<boolean> {
  return db.transaction(async (client) => {
    const written = await client.query(version === 1 ? ADD : CHANGE, [person, version, JSON.stringify(value)])
    return written.rowCount === 1
  })
}

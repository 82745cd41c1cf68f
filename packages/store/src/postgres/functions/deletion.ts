/** `parlor_deleting`: nothing can be created under a name whose person is being deleted (SEC-25). */
import { DELETING, OWNED } from "../../deletion-row.ts"
import { shareName } from "./link.ts"

/** The SQLSTATE of its error: one that nothing else uses. */
export const DELETING_STATE = "PL002"

/** Next to `parlor_owner`, under the same lock: marking a name waits for what is being created, and vice versa. */
export const deletionFunction = `
CREATE TABLE deletions (
  person text COLLATE "C" PRIMARY KEY,
  -- None while there is something left.
  done_at bigint
);
CREATE FUNCTION parlor_deleting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner text;
BEGIN
  IF TG_TABLE_NAME = 'memories' THEN
    owner := NEW.owner;
  ELSE
    owner := NEW.person;
  END IF;
  PERFORM ${shareName("owner")};
  -- A snapshot of its own: it sees what was written while it waited.
  IF EXISTS (SELECT 1 FROM deletions WHERE person = owner) THEN
    RAISE EXCEPTION '${DELETING}' USING ERRCODE = '${DELETING_STATE}';
  END IF;
  RETURN NEW;
END $$;
${[...Object.keys(OWNED), "links"]
  .map(
    (table) => `
CREATE TRIGGER ${table}_deleting BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION parlor_deleting();`,
  )
  .join("")}
`

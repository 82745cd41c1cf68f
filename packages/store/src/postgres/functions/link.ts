/**
 * `parlor_owner`: runs before anything is created that belongs to a person. A linked name owns nothing (ADR-4); the
 * lock, shared among creators, keeps the name from being linked until this is written.
 */

/** An arbitrary number, the same in every version: the locks on people's names. */
export const NAME_LOCKS = 7_220_452

/**
 * Takes the trigger's lock for the person in that parameter early. Otherwise a transaction could hold a stream or a
 * blob and wait for the name, while the one linking the name waits for that.
 */
export function shareName(parameter: string): string {
  return `pg_advisory_xact_lock_shared(${NAME_LOCKS}, hashtext(${parameter}))`
}

/** The SQLSTATE of its error: one that nothing else uses. */
export const LINKED_STATE = "PL001"

export const linkFunction = `
CREATE FUNCTION parlor_owner() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF EXISTS (SELECT 1 FROM links WHERE links.name = owner) THEN
    RAISE EXCEPTION 'person.linked' USING ERRCODE = '${LINKED_STATE}';
  END IF;
  RETURN NEW;
END $$;
${["streams", "memories", "attachments", "triggers", "keys"]
  .map(
    (table) => `
CREATE TRIGGER ${table}_owner BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION parlor_owner();`,
  )
  .join("")}
`

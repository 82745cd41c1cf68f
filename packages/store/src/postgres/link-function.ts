/**
 * `parlor_owner`: before anything is made that belongs to a person. A name that is linked to someone owns nothing
 * (ADR-4); the lock, shared with others who make something, holds off who would link it until this is written.
 */

/** Any number, the same for every Parlor: the locks on people's names. */
export const NAME_LOCKS = 7_220_452

/**
 * What the trigger takes, of the person in that parameter: for who would otherwise hold what goes with the name, a stream
 * or a blob, and wait for the name while its linker waits for that.
 */
export function shareName(parameter: string): string {
  return `pg_advisory_xact_lock_shared(${NAME_LOCKS}, hashtext(${parameter}))`
}

/** The SQLSTATE of its refusal: one that nobody else uses. */
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

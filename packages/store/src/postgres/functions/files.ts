/**
 * How many files each person has in all workspaces, and attachments (SEC-42).
 *
 * Commits count the files they add (`append.ts`); triggers count attachments, and the files of removed conversations.
 * Rows of `stored` are locked last, as in `stored.ts`. What a server of an earlier version adds while others are
 * already newer is not counted; `parlor doctor` finds that.
 */
import { COUNT_FILES } from "../../stored-row.ts"

const ADD_FILES = "ON CONFLICT (person) DO UPDATE SET files = stored.files + excluded.files"

export const filesFunction = `
ALTER TABLE stored ADD COLUMN IF NOT EXISTS files bigint NOT NULL DEFAULT 0;
ALTER TABLE streams ADD COLUMN IF NOT EXISTS files bigint NOT NULL DEFAULT 0;
${COUNT_FILES};

CREATE OR REPLACE FUNCTION parlor_stored_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'streams' THEN
    INSERT INTO stored (person, files) SELECT c.person, -sum(c.files) FROM changed c WHERE c.files <> 0
    GROUP BY 1 ORDER BY 1 ${ADD_FILES};
  ELSE
    INSERT INTO stored (person, files)
    SELECT c.person, count(*) * CASE WHEN TG_OP = 'INSERT' THEN 1 ELSE -1 END FROM changed c
    GROUP BY 1 ORDER BY 1 ${ADD_FILES};
  END IF;
  RETURN NULL;
END $$;

-- The names put them after the triggers that lock other tables: those of one event fire in the order of their names.
CREATE OR REPLACE TRIGGER streams_z_files AFTER DELETE ON streams REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION parlor_stored_files();
CREATE OR REPLACE TRIGGER attachments_z_files AFTER INSERT ON attachments REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION parlor_stored_files();
CREATE OR REPLACE TRIGGER attachments_z_no_files AFTER DELETE ON attachments REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION parlor_stored_files();
`

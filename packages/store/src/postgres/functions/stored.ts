/**
 * How much storage each person uses (SEC-23).
 *
 * Triggers count everything except logs, once per statement. A commit adds what it wrote to logs at its very end. Rows
 * of `stored` are locked last in every transaction, those of one statement in the order of their people: whoever
 * changes something that is counted has locked everything else by then.
 */
import { ADD_STORED, COUNT_CONTENTS, COUNT_STORED } from "../../stored-row.ts"
import { commitText } from "./commit.ts"

/** `now`: earlier keys expire counting from this time. */
export function storedFunction(now: number): string {
  return `
ALTER TABLE streams ADD COLUMN IF NOT EXISTS bytes bigint NOT NULL DEFAULT 0;
-- Events up to this number are not counted yet.
ALTER TABLE streams ADD COLUMN IF NOT EXISTS uncounted bigint NOT NULL DEFAULT 0;
ALTER TABLE once ADD COLUMN IF NOT EXISTS at bigint NOT NULL DEFAULT ${now};
UPDATE streams SET bytes = 0, uncounted = head WHERE kind <> 'feed' AND head > 0;
CREATE INDEX IF NOT EXISTS streams_uncounted ON streams (id) WHERE uncounted > 0;
CREATE INDEX IF NOT EXISTS once_at ON once (at);
CREATE TABLE stored (
  person text COLLATE "C" PRIMARY KEY,
  conversations bigint NOT NULL DEFAULT 0,
  conversation_bytes bigint NOT NULL DEFAULT 0,
  file_bytes bigint NOT NULL DEFAULT 0,
  memory_bytes bigint NOT NULL DEFAULT 0,
  trigger_bytes bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
-- Contents of files and attachments, each once for each person, and how often that person holds it.
CREATE TABLE contents_held (
  person text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  holds bigint NOT NULL,
  PRIMARY KEY (person, hash)
);
${COUNT_CONTENTS};
${COUNT_STORED};
${commitFunction}
${contentFunctions}
${memoryFunction}
${triggerFunction}
${streamFunction}
`
}

/** As before, with the bytes of each append and expiring idempotency keys. */
const commitFunction = `
${commitText({ counted: true })}
-- The same with everything an append may carry. Counted last, for the order of the locks.
CREATE FUNCTION parlor_commit_counted(appends json, texts json, spent json, counted json)
RETURNS TABLE (why text, head bigint, control bigint, epoch bigint, feed_head bigint, hash text, answer text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  r record;
  n bigint := 0;
  written bigint[] := '{}';
  firsts bigint[] := '{}';
BEGIN
  FOR r IN SELECT * FROM parlor_commit(appends) LOOP
    n := n + 1;
    IF r.why = 'ok' THEN
      written := written || n;
      firsts := firsts || r.head;
    END IF;
    why := r.why; head := r.head; control := r.control; epoch := r.epoch; feed_head := r.feed_head;
    hash := r.hash; answer := r.answer; RETURN NEXT;
  END LOOP;
  IF texts IS NOT NULL THEN
    PERFORM parlor_index_texts(texts, written);
  END IF;
  IF spent IS NOT NULL THEN
    PERFORM parlor_spend(spent, written);
  END IF;
  PERFORM parlor_count(counted, written, firsts);
END $$;

-- \`counted\`: which append (\`a\`), of which stream, how many events and bytes. \`heads\`: where each written one ended.
CREATE FUNCTION parlor_count(counted json, written bigint[], heads bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO stored (person, conversations, conversation_bytes)
  SELECT s.person, count(*) FILTER (WHERE w.head = x.n AND s.kind = 'conversation'), sum(x.b)
  FROM unnest(written, heads) AS w(a, head)
  JOIN json_to_recordset(counted) AS x(a bigint, s bigint, n bigint, b bigint) ON x.a = w.a
  JOIN streams s ON s.id = x.s AND s.kind <> 'feed'
  GROUP BY s.person ORDER BY s.person ${ADD_STORED}
$$;
`

/** Who releases contents has locked their lines in \`blobs\`; who holds one has locked it against that. */
const contentFunctions = `
CREATE FUNCTION parlor_hold_contents(who text[], hashes text[], sizes bigint[]) RETURNS void LANGUAGE sql AS $$
  WITH held AS (
    SELECT person, hash, bytes, count(*) AS holds FROM unnest(who, hashes, sizes) AS x(person, hash, bytes)
    GROUP BY 1, 2, 3 ORDER BY 1, 2
  ), put AS (
    INSERT INTO contents_held SELECT * FROM held ON CONFLICT (person, hash)
    DO UPDATE SET holds = contents_held.holds + excluded.holds RETURNING person, hash, bytes, holds
  )
  INSERT INTO stored (person, file_bytes)
  SELECT put.person, sum(put.bytes) FROM put JOIN held USING (person, hash)
  WHERE put.holds = held.holds GROUP BY 1 ORDER BY 1 ${ADD_STORED}
$$;

CREATE FUNCTION parlor_release_contents(who text[], hashes text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contents_held c SET holds = c.holds - x.holds FROM (
    SELECT person, hash, count(*) AS holds FROM unnest(who, hashes) AS u(person, hash) GROUP BY 1, 2
  ) AS x WHERE c.person = x.person AND c.hash = x.hash;
  WITH gone AS (
    DELETE FROM contents_held c USING unnest(who, hashes) AS x(person, hash)
    WHERE c.person = x.person AND c.hash = x.hash AND c.holds = 0 RETURNING c.person, c.bytes
  )
  INSERT INTO stored (person, file_bytes) SELECT person, -sum(bytes) FROM gone GROUP BY 1 ORDER BY 1 ${ADD_STORED};
END $$;

CREATE FUNCTION parlor_stored_contents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'attachments' AND TG_OP = 'INSERT' THEN
    PERFORM parlor_hold_contents(array_agg(c.person), array_agg(c.hash), array_agg(c.bytes)) FROM changed c
    HAVING count(*) > 0;
  ELSIF TG_TABLE_NAME = 'attachments' THEN
    PERFORM parlor_release_contents(array_agg(c.person), array_agg(c.hash)) FROM changed c HAVING count(*) > 0;
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM parlor_hold_contents(array_agg(s.person), array_agg(c.hash), array_agg(b.bytes))
    FROM changed c JOIN streams s ON s.id = c.stream JOIN blobs b ON b.hash = c.hash HAVING count(*) > 0;
  ELSE
    PERFORM parlor_release_contents(array_agg(s.person), array_agg(c.hash))
    FROM changed c JOIN streams s ON s.id = c.stream HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;
${["attachments", "blob_holds"]
  .map(
    (table) => `
CREATE TRIGGER ${table}_stored AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION parlor_stored_contents();
CREATE TRIGGER ${table}_released AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION parlor_stored_contents();`,
  )
  .join("")}
`

const MEMORY_BYTES = "octet_length(x.name) + octet_length(x.description) + octet_length(x.body)"

const memoryFunction = `
CREATE FUNCTION parlor_stored_memories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO stored (person, memory_bytes)
    SELECT x.owner, sum(${MEMORY_BYTES}) FROM added x WHERE x.owner <> '' GROUP BY 1 ORDER BY 1 ${ADD_STORED};
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO stored (person, memory_bytes)
    SELECT x.owner, -sum(${MEMORY_BYTES}) FROM gone x WHERE x.owner <> '' GROUP BY 1 ORDER BY 1 ${ADD_STORED};
  END IF;
  RETURN NULL;
END $$;
${counts("memories", "parlor_stored_memories")}
`

/** Firings are deleted before their trigger, which names their person. */
const triggerFunction = `
CREATE FUNCTION parlor_stored_triggers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO stored (person, trigger_bytes)
    SELECT x.person, sum(octet_length(x.value)) FROM added x GROUP BY 1 ORDER BY 1 ${ADD_STORED};
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO stored (person, trigger_bytes)
    SELECT x.person, -sum(octet_length(x.value)) FROM gone x GROUP BY 1 ORDER BY 1 ${ADD_STORED};
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION parlor_stored_firings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO stored (person, trigger_bytes)
    SELECT t.person, sum(octet_length(x.value)) FROM added x JOIN triggers t ON t.id = x.trigger_id
    GROUP BY 1 ORDER BY 1 ${ADD_STORED};
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO stored (person, trigger_bytes)
    SELECT t.person, -sum(octet_length(x.value)) FROM gone x JOIN triggers t ON t.id = x.trigger_id
    GROUP BY 1 ORDER BY 1 ${ADD_STORED};
  END IF;
  RETURN NULL;
END $$;
${counts("triggers", "parlor_stored_triggers")}
${counts("firings", "parlor_stored_firings")}
`

const streamFunction = `
CREATE FUNCTION parlor_stored_streams() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stored (person, conversations, conversation_bytes)
  SELECT x.person, -count(*) FILTER (WHERE x.head > 0 AND x.kind = 'conversation'), -sum(x.bytes) FROM gone x
  WHERE x.kind <> 'feed' GROUP BY 1 ORDER BY 1 ${ADD_STORED};
  RETURN NULL;
END $$;
-- An import takes the place of a conversation.
CREATE FUNCTION parlor_stored_adopted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stored (person, conversations) VALUES (NEW.person,
    (NEW.head > 0 AND NEW.kind = 'conversation')::int - (OLD.head > 0 AND OLD.kind = 'conversation')::int) ${ADD_STORED};
  RETURN NULL;
END $$;
CREATE TRIGGER streams_adopted AFTER UPDATE OF kind ON streams FOR EACH ROW WHEN (OLD.kind <> NEW.kind)
  EXECUTE FUNCTION parlor_stored_adopted();
CREATE TRIGGER streams_released AFTER DELETE ON streams REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION parlor_stored_streams();
`

function counts(table: string, name: string): string {
  const each = `FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`
  return `
CREATE TRIGGER ${table}_stored AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added ${each}
CREATE TRIGGER ${table}_changed AFTER UPDATE ON ${table} REFERENCING NEW TABLE AS added OLD TABLE AS gone ${each}
CREATE TRIGGER ${table}_released AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone ${each}`
}

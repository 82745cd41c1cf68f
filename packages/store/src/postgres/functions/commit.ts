/**
 * `parlor_commit`: the whole commit in one round trip. It takes the batch as JSON in which every row is a JSON string,
 * so that its text is preserved byte for byte.
 *
 * Rows of `streams`, including feeds, are locked in the order of their ids before anything else: two nodes that commit
 * for the same people wait for each other and never deadlock. Each append then sees what the earlier ones did.
 *
 * Later steps replace it; each gets its text from here, and the text of a released step stays as it is.
 */
import { ONCE_MS } from "../../stored-row.ts"

export const commitFunction = `
CREATE FUNCTION parlor_write(s_id bigint, s_head bigint, changes json, drops json, streams json, tx text, ts bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF drops IS NOT NULL THEN
    DELETE FROM streaming WHERE stream = s_id AND message IN (SELECT json_array_elements_text(drops));
  END IF;
  IF streams IS NOT NULL THEN
    INSERT INTO streaming SELECT s_id, m.message, s_head + m.i
    FROM json_to_recordset(streams) AS m(message text, i bigint)
    ON CONFLICT DO NOTHING;
  END IF;
  WITH c AS MATERIALIZED (
    SELECT * FROM json_to_recordset(changes) AS x(i bigint, c text, k text, o text, v text, n bigint, p text, e text)
  ), logged AS (
    INSERT INTO events SELECT s_id, s_head + c.i, c.c, c.k, c.o, c.v, tx, ts FROM c
  ), gone AS (
    DELETE FROM rows r USING c WHERE c.e = 'delete' AND r.stream = s_id AND r.collection = c.c AND r.key = c.k
  )
  INSERT INTO rows SELECT s_id, c.c, c.k, c.n, c.p, c.v, s_head + c.i FROM c WHERE c.e = 'put'
  ON CONFLICT (stream, collection, key) DO UPDATE
    SET ord = excluded.ord, place = excluded.place, value = excluded.value, seq = excluded.seq;
END $$;

${commitText({ counted: false })}`

/** `counted`: with the bytes of each append and expiring idempotency keys. `trims`: says which logs are due (LOG-36). */
export function commitText({
  counted,
  trims = false,
}: {
  readonly counted: boolean
  readonly trims?: boolean
}): string {
  const saveOnce = counted ? SAVE_EXPIRING : ")"
  return `${counted ? "CREATE OR REPLACE" : "CREATE"} FUNCTION parlor_commit(appends json)
RETURNS TABLE (why text, head bigint, control bigint, epoch bigint, feed_head bigint, hash text, answer text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  a record;
  s streams%ROWTYPE;
  f streams%ROWTYPE;
  known once%ROWTYPE;
  now_ms bigint;
BEGIN
  PERFORM 1 FROM streams WHERE id IN (
    SELECT x.stream FROM json_to_recordset(appends) AS x(stream bigint)
    UNION SELECT x.feed FROM json_to_recordset(appends) AS x(feed bigint)
  ) ORDER BY id FOR UPDATE;
  now_ms := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;

  FOR a IN SELECT * FROM json_to_recordset(appends) AS x(
    stream bigint, txid text, at bigint, expect bigint, epoch bigint, batch bigint, lease text, owner text,
    ttl bigint, force boolean, active boolean, once_key text, once_hash text, once_answer text,
    count bigint, ${counted ? "bytes bigint, " : ""}moves int, changes json, drops json, streaming json,
    feed bigint, feed_count bigint, feed_moves int, feed_changes json, feed_drops json, feed_streaming json
  ) LOOP
    why := NULL; head := 0; control := 0; epoch := 0; feed_head := 0; hash := NULL; answer := NULL;
    SELECT * INTO s FROM streams WHERE id = a.stream;
    IF NOT FOUND THEN
      why := 'gone'; RETURN NEXT; CONTINUE;
    END IF;
    IF a.feed IS NOT NULL THEN
      SELECT * INTO f FROM streams WHERE id = a.feed;
      IF NOT FOUND THEN
        why := 'gone'; RETURN NEXT; CONTINUE;
      END IF;
      feed_head := f.head;
    END IF;
    IF a.once_key IS NOT NULL THEN
      SELECT * INTO known FROM once WHERE stream = s.id AND key = a.once_key${counted ? ` AND at > now_ms - ${ONCE_MS}` : ""};
      IF FOUND THEN
        why := 'repeated'; head := known.seq; hash := known.hash; answer := known.answer; RETURN NEXT; CONTINUE;
      END IF;
    END IF;
    IF a.epoch <> s.epoch THEN
      why := 'fenced';
    ELSIF a.batch <= s.batch AND a.lease IS DISTINCT FROM 'claim' THEN
      why := 'skipped'; head := s.head; control := s.control; epoch := s.epoch;
    ELSIF a.expect <> s.control THEN
      why := 'moved';
    ELSIF a.lease = 'claim' AND a.force IS NOT TRUE AND s.owner <> a.owner AND s.lease_until > now_ms THEN
      why := 'owned';
    END IF;
    IF why IS NOT NULL THEN
      RETURN NEXT; CONTINUE;
    END IF;

    IF a.count > 0 THEN
      PERFORM parlor_write(s.id, s.head, a.changes, a.drops, a.streaming, a.txid, a.at);
    END IF;
    UPDATE streams SET
      head = s.head + a.count,${counted ? "\n      bytes = s.bytes + coalesce(a.bytes, 0)," : ""}
      control = s.control + a.moves,
      epoch = s.epoch + (CASE a.lease WHEN 'claim' THEN 1 ELSE 0 END),
      batch = coalesce(a.batch, CASE a.lease WHEN 'claim' THEN 0 ELSE s.batch END),
      owner = CASE a.lease WHEN 'claim' THEN a.owner WHEN 'release' THEN NULL ELSE s.owner END,
      lease_until = CASE a.lease WHEN 'claim' THEN now_ms + a.ttl WHEN 'release' THEN 0 ELSE s.lease_until END,
      active = coalesce(a.active, s.active)${trims ? trimColumns("s", "a.count") : ""}
    WHERE id = s.id RETURNING * INTO s;
    IF a.once_key IS NOT NULL THEN
      INSERT INTO once VALUES (s.id, a.once_key, a.once_hash, a.once_answer, s.head${saveOnce};
    END IF;
    IF a.feed_count > 0 THEN
      PERFORM parlor_write(f.id, f.head, a.feed_changes, a.feed_drops, a.feed_streaming, a.txid, a.at);
      UPDATE streams SET head = f.head + a.feed_count, control = f.control + a.feed_moves${trims ? trimColumns("f", "a.feed_count") : ""}
      WHERE id = f.id RETURNING * INTO f;
      feed_head := f.head;
    END IF;
    why := 'ok'; head := s.head; control := s.control; epoch := s.epoch; RETURN NEXT;
  END LOOP;
END $$;
`
}

function trimColumns(line: string, count: string): string {
  const isDue = `${line}.trim_at = 0 AND ${line}.head + ${count} > ${line}.trim_to`
  return `,
        trim_at = CASE WHEN ${isDue} THEN now_ms ELSE ${line}.trim_at END,
        trim_to = CASE WHEN ${isDue} THEN ${line}.head + ${count} ELSE ${line}.trim_to END`
}

const SAVE_EXPIRING = `, now_ms)
      ON CONFLICT (stream, key) DO UPDATE
        SET hash = excluded.hash, answer = excluded.answer, seq = excluded.seq, at = excluded.at`

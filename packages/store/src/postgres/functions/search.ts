/**
 * Full-text search, the writing side: the same structure as in SQLite.
 *
 * Every word of the index starts with the number of its person ("17xdeploy"), so a search visits the hits of one person
 * only. `parlor_commit_texts` is `parlor_commit` for a batch with texts: those of written appends are indexed in the
 * same transaction.
 *
 * `parlor_hits` returns hits of the index in no order; `parlor_walk` goes through a person's texts from the newest on.
 * Their settings keep the planner, which at first has no statistics on these tables, from reading and sorting all of
 * them.
 */
const walkFunctions = `CREATE FUNCTION parlor_has_many(p_id bigint, many int) RETURNS boolean LANGUAGE plpgsql STABLE
SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM search_texts WHERE person = p_id ORDER BY id DESC OFFSET many LIMIT 1;
  RETURN FOUND;
END $$;

-- A text has a word when its line is like one of the two patterns of that word.
CREATE FUNCTION parlor_walk(p_id bigint, t_agent text, alone text[], counted text[], walked int, most int)
RETURNS SETOF bigint LANGUAGE plpgsql STABLE
SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
  t record;
  found_texts int := 0;
BEGIN
  <<texts>>
  FOR t IN SELECT id, agent, ' ' || line || ' ' AS line FROM search_texts
    WHERE person = p_id ORDER BY id DESC LIMIT walked
  LOOP
    CONTINUE WHEN t_agent IS NOT NULL AND t.agent IS DISTINCT FROM t_agent;
    FOR i IN 1..cardinality(alone) LOOP
      CONTINUE texts WHEN t.line NOT LIKE alone[i] AND t.line NOT LIKE counted[i];
    END LOOP;
    RETURN NEXT t.id;
    found_texts := found_texts + 1;
    EXIT WHEN found_texts >= most;
  END LOOP;
END $$;`

/** Databases of an early version lack these. */
export const addWalkFunctions = walkFunctions.replaceAll("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")

export const searchFunction = `
CREATE FUNCTION parlor_words(p_id bigint, agent text, line text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN array_to_tsvector(string_to_array(
    p_id || 'x' || replace(regexp_replace(line, ':[0-9]+', '', 'g'), ' ', ' ' || p_id || 'x')
      || coalesce(' ' || p_id || 'y' || encode(convert_to(agent, 'UTF8'), 'hex'), ''), ' '));
END $$;

-- The list of what is not in the index proper yet is read by every search: not too long.
CREATE INDEX search_texts_words ON search_texts USING gin (parlor_words(person, agent, line))
  WITH (gin_pending_list_limit = 1024);

CREATE FUNCTION parlor_hits(query tsquery, most int) RETURNS SETOF bigint LANGUAGE plpgsql STABLE
SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT id FROM search_texts WHERE parlor_words(person, agent, line) @@ query LIMIT most;
END $$;

${walkFunctions}

CREATE FUNCTION parlor_put_text(
  s_id bigint, p_id bigint, t_kind text, t_key text, t_agent text, t_ord bigint, ts bigint, words_count int, t_line text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known record;
BEGIN
  SELECT id, line INTO known FROM search_texts
  WHERE stream = s_id AND person = p_id AND kind = t_kind AND key = t_key;
  IF FOUND AND known.line = t_line THEN
    UPDATE search_texts SET ord = t_ord, at = ts WHERE id = known.id AND (ord, at) <> (t_ord, ts);
    RETURN;
  END IF;
  IF FOUND THEN
    DELETE FROM search_texts WHERE id = known.id;
  END IF;
  IF words_count > 0 THEN
    INSERT INTO search_texts (stream, person, kind, key, agent, ord, at, length, line)
    VALUES (s_id, p_id, t_kind, t_key, t_agent, t_ord, ts, words_count, t_line);
  END IF;
END $$;

CREATE FUNCTION parlor_index_memory(owner text, name text, ts bigint, words_count int, t_line text)
RETURNS void LANGUAGE sql AS $$
  SELECT parlor_put_text(0, p.id, 'memory', name, NULL, 0, ts, words_count, t_line) FROM people p WHERE p.person = owner
$$;

CREATE FUNCTION parlor_index_texts(texts json, written bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  -- In the order of their names: two nodes that meet the same new people wait for each other and never deadlock.
  INSERT INTO people (person) SELECT DISTINCT s.person FROM json_to_recordset(texts) AS x(a bigint, s bigint)
    JOIN streams s ON s.id = x.s WHERE x.a = ANY(written)
    AND NOT EXISTS (SELECT 1 FROM people p WHERE p.person = s.person) ORDER BY 1
    ON CONFLICT DO NOTHING;
  FOR r IN
    SELECT x.*, s.agent, p.id AS person
    FROM ROWS FROM (json_to_recordset(texts) AS (a bigint, s bigint, k text, y text, n bigint, t bigint, l int, w text))
      WITH ORDINALITY AS x(a, s, k, y, n, t, l, w, i)
    JOIN streams s ON s.id = x.s AND s.kind = 'conversation' JOIN people p ON p.person = s.person
    WHERE x.a = ANY(written) ORDER BY x.i
  LOOP
    PERFORM parlor_put_text(r.s, r.person, r.k, r.y, r.agent, r.n, r.t, r.l, r.w);
  END LOOP;
END $$;

CREATE FUNCTION parlor_commit_texts(appends json, texts json)
RETURNS TABLE (why text, head bigint, control bigint, epoch bigint, feed_head bigint, hash text, answer text)
LANGUAGE plpgsql AS $$
DECLARE
  r record;
  n bigint := 0;
  written bigint[] := '{}';
BEGIN
  FOR r IN SELECT * FROM parlor_commit(appends) LOOP
    n := n + 1;
    IF r.why = 'ok' THEN
      written := written || n;
    END IF;
    why := r.why; head := r.head; control := r.control; epoch := r.epoch; feed_head := r.feed_head;
    hash := r.hash; answer := r.answer; RETURN NEXT;
  END LOOP;
  PERFORM parlor_index_texts(texts, written);
END $$;
`

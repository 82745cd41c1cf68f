/**
 * `parlor_index_texts` for imports too: an import is indexed while it is written, and found once it is in its place.
 */
export const importFunction = `
CREATE INDEX IF NOT EXISTS streams_imports ON streams (id) WHERE kind = 'import';

CREATE OR REPLACE FUNCTION parlor_index_texts(texts json, written bigint[]) RETURNS void LANGUAGE plpgsql AS $$
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
    JOIN streams s ON s.id = x.s AND s.kind <> 'feed' JOIN people p ON p.person = s.person
    WHERE x.a = ANY(written) ORDER BY x.i
  LOOP
    PERFORM parlor_put_text(r.s, r.person, r.k, r.y, r.agent, r.n, r.t, r.l, r.w);
  END LOOP;
END $$;
`

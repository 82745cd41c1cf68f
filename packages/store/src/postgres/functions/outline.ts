/**
 * Outlines of long rows (QUE-17), and `parlor_write` that writes them. A column is enough here: PostgreSQL stores long
 * values outside their rows and reads them only when selected.
 */
export const outlineFunction = `
ALTER TABLE rows ADD COLUMN IF NOT EXISTS outline text COLLATE "C";

CREATE OR REPLACE FUNCTION parlor_write(
  s_id bigint, s_head bigint, changes json, drops json, streams json, tx text, ts bigint
)
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
    SELECT * FROM json_to_recordset(changes)
      AS x(i bigint, c text, k text, o text, v text, n bigint, p text, e text, l text)
  ), logged AS (
    INSERT INTO events SELECT s_id, s_head + c.i, c.c, c.k, c.o, c.v, tx, ts FROM c
  ), gone AS (
    DELETE FROM rows r USING c WHERE c.e = 'delete' AND r.stream = s_id AND r.collection = c.c AND r.key = c.k
  )
  INSERT INTO rows (stream, collection, key, ord, place, value, seq, outline)
  SELECT s_id, c.c, c.k, c.n, c.p, c.v, s_head + c.i, c.l FROM c WHERE c.e = 'put'
  ON CONFLICT (stream, collection, key) DO UPDATE
    SET ord = excluded.ord, place = excluded.place, value = excluded.value, seq = excluded.seq,
      outline = excluded.outline;
END $$;
`

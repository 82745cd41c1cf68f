/**
 * How many streams each server has open for whom (SEC-14), until it says so again or the time is over.
 *
 * Servers that ask about the same counter at the same moment do so one after the other, so the second one sees the first.
 */
export const openStreamsFunction = `
CREATE UNLOGGED TABLE IF NOT EXISTS open_streams (
  whose text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  count int NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (whose, node)
);

CREATE OR REPLACE FUNCTION parlor_open_streams(me text, counters text[], counts int[], ttl bigint)
RETURNS TABLE (whose text, elsewhere bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  now_ms bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7220452, key) FROM (
    SELECT DISTINCT hashtext(c) AS key FROM unnest(counters) AS c ORDER BY key
  ) AS keys;
  INSERT INTO open_streams SELECT x.c, me, x.n, now_ms + ttl FROM unnest(counters, counts) AS x(c, n) WHERE x.n > 0
  ON CONFLICT (whose, node) DO UPDATE SET count = excluded.count, until = excluded.until;
  DELETE FROM open_streams o WHERE o.whose = ANY (counters)
    AND (o.until <= now_ms
      OR (o.node = me AND EXISTS (SELECT 1 FROM unnest(counters, counts) AS x(c, n) WHERE x.c = o.whose AND x.n = 0)));
  RETURN QUERY SELECT o.whose, sum(o.count) FROM open_streams o
    WHERE o.whose = ANY (counters) AND o.node <> me GROUP BY o.whose;
END $$;
`

/**
 * The buckets of rates that all servers share (SEC-44): each has the time at which it is full again, in milliseconds.
 *
 * A bucket is named by a hash, because its key may contain the name of a person who is deleted. Servers that add to the
 * same buckets lock them in the same order. Full buckets are deleted by `upkeep`.
 */
export const CALL_RATES_STEP = `
CREATE UNLOGGED TABLE IF NOT EXISTS call_rates (
  key bytea PRIMARY KEY,
  full_at double precision NOT NULL,
  -- By the last report: what is inserted instead of a known row can only be read from a column.
  added double precision NOT NULL
);
`

/** Keys, the time to add to each, how long ago that began, and the most that a bucket may be ahead. */
export const SHARE_RATES = `
  WITH now AS MATERIALIZED (SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS ms),
  given AS MATERIALIZED (
    SELECT x.whose, sha256(convert_to(x.whose, 'UTF8')) AS key, x.added, now.ms - x.ago AS since
    FROM unnest($1::text[], $2::double precision[], $3::double precision[]) AS x(whose, added, ago), now
  ), changed AS (
    INSERT INTO call_rates AS r (key, full_at, added)
    SELECT key, since + added, added FROM given WHERE added <> 0 ORDER BY key
    ON CONFLICT (key) DO UPDATE SET added = excluded.added, full_at = least(
      (SELECT ms FROM now) + $4::double precision, greatest(excluded.full_at, r.full_at + excluded.added))
    RETURNING r.key, r.full_at
  )
  SELECT given.whose, found.full_at - now.ms AS ahead
  FROM (
    SELECT key, full_at FROM changed
    UNION ALL SELECT r.key, r.full_at FROM call_rates r JOIN given ON given.key = r.key WHERE given.added = 0
  ) AS found JOIN given USING (key), now
  WHERE found.full_at > now.ms`

export const PRUNE_RATES = `
  WITH gone AS (
    SELECT key FROM call_rates WHERE full_at <= extract(epoch FROM clock_timestamp()) * 1000 FOR UPDATE SKIP LOCKED
  ) DELETE FROM call_rates USING gone WHERE call_rates.key = gone.key`

import { ADD_SPENDING, SPENDING_COLUMNS } from "../../spending-row.ts"

/**
 * `parlor_commit_spent`: a commit whose appends carry ledger lines; `a` is the append's index in the batch (SEC-20).
 * Lines are written last and in order, so that nodes wait for each other and never deadlock.
 */
export const ledgerFunction = `
CREATE TABLE spending (
  person text COLLATE "C" NOT NULL,
  -- In UTC.
  day text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_micros bigint NOT NULL,
  PRIMARY KEY (person, day, source, agent, model)
) WITH (fillfactor = 50);

CREATE FUNCTION parlor_spend(spent json, written bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO spending (${SPENDING_COLUMNS})
  SELECT x.person, x.day, x.source, x.agent, x.model,
    sum(x.calls), sum(x.input_tokens), sum(x.output_tokens), sum(x.cost_micros)
  FROM json_to_recordset(spent) AS x(a bigint, person text, day text, source text, agent text, model text,
    calls bigint, input_tokens bigint, output_tokens bigint, cost_micros bigint)
  WHERE x.a = ANY(written) GROUP BY 1, 2, 3, 4, 5
  ORDER BY x.person COLLATE "C", x.day COLLATE "C", x.source COLLATE "C", x.agent COLLATE "C", x.model COLLATE "C"
  ${ADD_SPENDING}
$$;

CREATE FUNCTION parlor_commit_spent(appends json, texts json, spent json)
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
  IF texts IS NOT NULL THEN
    PERFORM parlor_index_texts(texts, written);
  END IF;
  PERFORM parlor_spend(spent, written);
END $$;
`

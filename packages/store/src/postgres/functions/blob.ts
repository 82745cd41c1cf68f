/**
 * `parlor_hold_blob`: adds a holder, a stream or a person, to a content that exists or comes with the call: whole as
 * `body`, or staged before. False if the content itself is needed. A deleted stream holds nothing.
 */
export const blobFunction = `
CREATE FUNCTION parlor_hold_blob(
  h text, size bigint, staged bigint, body bytea, s_id bigint, who text, title text, media text, ts bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known bigint;
BEGIN
  IF s_id IS NOT NULL THEN
    PERFORM 1 FROM streams WHERE id = s_id FOR KEY SHARE;
    IF NOT FOUND THEN
      DELETE FROM blob_pieces WHERE blob = staged;
      DELETE FROM blobs WHERE id = staged;
      RETURN true;
    END IF;
  END IF;
  FOR try IN 1..10 LOOP
    SELECT id INTO known FROM blobs WHERE hash = h FOR KEY SHARE;
    EXIT WHEN FOUND;
    IF staged IS NULL AND body IS NULL THEN
      RETURN false;
    END IF;
    -- Another may have brought the same content in this very moment: then look again.
    BEGIN
      IF staged IS NOT NULL THEN
        UPDATE blobs SET hash = h, bytes = size WHERE id = staged RETURNING id INTO known;
      ELSE
        INSERT INTO blobs (hash, bytes) VALUES (h, size) RETURNING id INTO known;
        IF size > 0 THEN
          INSERT INTO blob_pieces VALUES (known, 0, body);
        END IF;
      END IF;
      EXIT;
    EXCEPTION WHEN unique_violation THEN
      known := NULL;
    END;
  END LOOP;
  IF known IS NULL THEN
    RAISE EXCEPTION 'the blob % comes and goes', h USING ERRCODE = '40001';
  END IF;
  IF known <> staged THEN
    DELETE FROM blob_pieces WHERE blob = staged;
    DELETE FROM blobs WHERE id = staged;
  END IF;
  IF s_id IS NOT NULL THEN
    INSERT INTO blob_holds VALUES (s_id, h) ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO attachments VALUES (who, h, title, media, size, ts) ON CONFLICT DO NOTHING;
  END IF;
  RETURN true;
END $$;
`

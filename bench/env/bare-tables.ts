/**
 * What the limits write to: the columns, the primary key and the timeline index of the hub's log, without row-level
 * security and without foreign keys; and a recorder that locks an entity and derives its claims again from all of its
 * history, all inside the database, in one round trip.
 */
export const bareTables = `
CREATE TABLE bench_observations (
  workspace_id uuid NOT NULL, id uuid NOT NULL, entity_id uuid NOT NULL, kind text NOT NULL, property text NOT NULL,
  value jsonb, source text NOT NULL, method text NOT NULL, observed_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL, external_id text, digest bytea NOT NULL, raw jsonb,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX bench_observations_timeline ON bench_observations (workspace_id, entity_id, observed_at, id);

CREATE TABLE bench_entities (id uuid PRIMARY KEY, touched_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE bench_claims (
  entity_id uuid NOT NULL, property text NOT NULL, value jsonb, observed_at timestamptz NOT NULL, support bigint NOT NULL,
  confidence float8 NOT NULL, sources text[] NOT NULL, PRIMARY KEY (entity_id, property));

CREATE FUNCTION bench_record(about uuid, ids uuid[], at timestamptz, title text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM bench_entities WHERE id = about FOR UPDATE;
  INSERT INTO bench_observations VALUES
    (about, ids[1], about, 'state', 'title', to_jsonb(title), 'agent', 'api', at, at, NULL, '\\x00', NULL),
    (about, ids[2], about, 'state', 'intent', '"interested"', 'agent', 'api', at, at, NULL, '\\x00', NULL),
    (about, ids[3], about, 'event', 'interaction.call_held', '{}', 'agent', 'api', at, at, NULL, '\\x00', NULL);
  INSERT INTO bench_claims
    SELECT about, property, (array_agg(value ORDER BY observed_at DESC, id DESC))[1], max(observed_at), count(*),
           1 - exp(sum(ln(1 - 0.75 * exp(-extract(epoch FROM at - observed_at) / 31536000)))), array_agg(DISTINCT source)
    FROM bench_observations
    WHERE workspace_id = about AND entity_id = about AND property IN ('title', 'intent')
    GROUP BY property
  ON CONFLICT (entity_id, property) DO UPDATE SET value = excluded.value, observed_at = excluded.observed_at,
    support = excluded.support, confidence = excluded.confidence, sources = excluded.sources;
END $$`;

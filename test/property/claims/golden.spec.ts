import { defaultRules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { computeDigest, type JsonValue } from '#domain/observation/observation.js';
import { vectorsOf } from '../../support/vectors.js';
import { at, statement } from './claims-logs.js';

const AS_OF = at('2026-11-20');

interface Vector {
  id: string;
  why: string;
  property: string;
  observations: { value: JsonValue; source: string; method: string; observed_at: string }[];
  claim: Record<string, JsonValue> & { history: { value: JsonValue; valid_from: string; valid_to: string }[] };
}

function toLog(property: string, observations: Vector['observations']) {
  return observations.map(({ value, source, method, observed_at }) =>
    statement(property, value, `${source}/${method}`, at(observed_at)),
  );
}

it.each(vectorsOf<Vector>('claims/derivation'))('$id $why', ({ property, observations, claim }) => {
  const log = toLog(property, observations);
  const shown = toClaim(defaultRules, property, foldAll(defaultRules, property, log, AS_OF), AS_OF, {
    history: true,
  });
  const { history, ...signals } = claim;
  expect(shown).toMatchObject({
    property,
    ...signals,
    valid_to: null,
    observation_count: observations.length,
    trust_version: 'default@8',
  });
  const past = (shown?.history ?? []).map(({ value, valid_from, valid_to }) => ({ value, valid_from, valid_to }));
  expect(past).toEqual(history);
});

interface Story {
  readonly id: string;
  readonly why: string;
  readonly property: string;
  readonly observations: Vector['observations'];
  readonly claim: { readonly value: JsonValue; readonly freshness: string; readonly epistemic_class: string };
}

it.each(vectorsOf<Story>('claims/stories'))('$id $why', ({ property, observations, claim }) => {
  const log = toLog(property, observations);
  for (const arrived of [log, log.toReversed()])
    expect(toClaim(defaultRules, property, foldAll(defaultRules, property, arrived, AS_OF), AS_OF, {})).toMatchObject(
      claim,
    );
});

interface DigestVector {
  why: string;
  observation: {
    property: string;
    value: JsonValue;
    source: string;
    method: string;
    observed_at: string;
    external_id?: string;
  };
  digest: string;
}

it.each(vectorsOf<DigestVector>('claims/digests'))('the digest: $why', ({ observation, digest }) => {
  const { observed_at, external_id, ...stated } = observation;
  expect(computeDigest({ ...stated, observedAt: at(observed_at), externalId: external_id })).toBe(digest);
});

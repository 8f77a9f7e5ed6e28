import { entityTypeOf, type Focus, toIdentifier, parseFocus } from '#domain/identity/focus.js';
import { nameKey } from '#domain/identity/names.js';
import { vectorsOf } from '../../support/vectors.js';

type FocusVector =
  | { text: string; form: 'invalid'; reason: string }
  | {
      text: string;
      form: Exclude<Focus['form'], 'invalid'>;
      key: string;
      value?: string;
      domain?: string | null;
      entity_type?: 'person' | 'company';
    };

describe.each(['forms', 'emails', 'domains', 'linkedin'])('%s', name => {
  it.each(vectorsOf<FocusVector>(`identity/${name}`))('$text', vector => {
    const focus = parseFocus(vector.text);
    if (vector.form === 'invalid') {
      expect(focus).toEqual({ form: 'invalid', reason: expect.stringContaining(vector.reason) });
      return;
    }
    expect([focus.form, keyOf(focus)]).toEqual([vector.form, vector.key]);
    if (vector.domain !== undefined) expect(focus).toMatchObject({ domain: vector.domain });
    if (vector.entity_type !== undefined) expect(typeOf(focus)).toBe(vector.entity_type);
    if (vector.value !== undefined) expect(stored(focus)).toEqual({ kind: vector.form, ...picked(vector) });
  });
});

it.each(vectorsOf<{ name: string; key: string }>('identity/names'))('the key of the name $name', ({ name, key }) => {
  expect(nameKey(name)).toBe(key);
});

function keyOf(focus: Focus): string {
  if (focus.form === 'invalid') return `invalid: ${focus.reason}`;
  return focus.form === 'uuid' ? focus.id : focus.key;
}

function picked({ value, key }: { value?: string; key: string }) {
  return { value, key };
}

function identified(focus: Focus) {
  if (focus.form === 'email' || focus.form === 'domain' || focus.form === 'linkedin') return focus;
  throw new Error(`${focus.form} is no identifier`);
}

const typeOf = (focus: Focus) => entityTypeOf(identified(focus));
const stored = (focus: Focus) => toIdentifier(identified(focus));

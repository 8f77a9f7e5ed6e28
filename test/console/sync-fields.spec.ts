import { changeMap, type FieldChoice, readChoice, readSyncSearch } from '../../console/src/sync/fieldMap.ts';
import type { SyncField } from '../../console/src/sync/types.ts';

const PLAIN: FieldChoice = {
  property: 'title',
  direction: undefined,
  wins: undefined,
  confidenceField: undefined,
  freshnessField: undefined,
};

function fieldWith(own: Partial<SyncField>): SyncField {
  const about = { name: 'jobtitle', label: 'Job title', type: 'string', is_read_only: false, property: null };
  const unsynced = { direction: null, wins: null, confidence_field: null, freshness_field: null, proposed: null };
  return { ...about, ...unsynced, ...own };
}

describe('the map of fields', () => {
  it('gets the choice for a field, with no more than was chosen', () => {
    expect(changeMap({ phone: null }, 'contacts', fieldWith({}), PLAIN)).toEqual({
      phone: null,
      title: { field: 'jobtitle' },
    });
    const chosen = {
      ...PLAIN,
      direction: 'both',
      wins: 'review',
      confidenceField: 'sure',
      freshnessField: 'fresh',
    } as const;
    expect(changeMap({}, 'companies', fieldWith({}), chosen)).toEqual({
      'companies.title': {
        field: 'jobtitle',
        direction: 'both',
        wins: 'review',
        confidence_field: 'sure',
        freshness_field: 'fresh',
      },
    });
  });

  it('leaves out the property that a field had', () => {
    const field = fieldWith({ property: 'title' });
    expect(changeMap({}, 'contacts', field, { ...PLAIN, property: 'headline' })).toEqual({
      title: null,
      headline: { field: 'jobtitle' },
    });
    expect(changeMap({ title: { field: 'jobtitle' } }, 'contacts', field, undefined)).toEqual({ title: null });
    expect(changeMap({}, 'contacts', fieldWith({}), undefined)).toEqual({});
  });

  it('is read back as it was chosen', () => {
    const chosen = { ...PLAIN, direction: 'push', wins: 'blanks', confidenceField: 'sure' } as const;
    const map = changeMap({}, 'companies', fieldWith({}), chosen);
    const field = fieldWith({ property: 'title', direction: 'push', wins: 'blanks', confidence_field: 'sure' });
    expect(readChoice(map, 'companies', field)).toEqual(chosen);
    // What the sync as a whole decides is not fixed by a change of something else.
    expect(readChoice({ title: 'jobtitle' }, 'contacts', fieldWith({ property: 'title', direction: 'pull' }))).toEqual(
      PLAIN,
    );
    expect(readChoice({}, 'contacts', fieldWith({}))).toBeUndefined();
  });

  it('is shown for objects that have one', () => {
    expect(readSyncSearch({ fields: 'companies' })).toEqual({ fields: 'companies' });
    expect(readSyncSearch({ fields: 'deals' })).toEqual({ fields: undefined });
  });
});

import { canonicalProperty, EVENT_ALIASES, PROPERTY_ALIASES } from '#domain/properties/registry.js';
import { listReadProperties, listVocabulary } from '#domain/vocabulary/vocabulary.js';

const { properties, events } = listVocabulary();
const names = properties.map(({ name }) => name);

describe('listVocabulary', () => {
  it('describes every property that score, attention, context and dedup look up', () => {
    expect([...listReadProperties()].filter(name => !names.includes(name))).toEqual([]);
  });

  it('lists canonical names only, once each, with every alias', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter(name => canonicalProperty(name) !== name)).toEqual([]);
    expect(properties.flatMap(({ aliases }) => aliases).toSorted()).toEqual(
      Object.values(PROPERTY_ALIASES).flat().toSorted(),
    );
    expect(events.flatMap(({ aliases }) => aliases).toSorted()).toEqual(
      Object.values(EVENT_ALIASES)
        .flat()
        .map(alias => `interaction.${alias}`)
        .toSorted(),
    );
  });

  it('says who reads a property and who acts in an event', () => {
    expect(properties.find(({ name }) => name === 'email_status')).toMatchObject({
      on: ['person'],
      aliases: ['reachability_status'],
      read_by: ['score', 'dedup'],
    });
    expect(events.find(({ name }) => name === 'interaction.email_replied')).toMatchObject({ direction: 'inbound' });
  });
});

import { formatField, listFields, readFields } from '../../console/src/integrations/schema.ts';

const fields = listFields({
  required: ['key'],
  properties: {
    key: { type: 'string' },
    limit: { type: 'integer', default: 5 },
    mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
    map: { type: 'object', default: {} },
    objects: { type: 'array', items: { enum: ['people', 'companies', 'deals'] }, default: ['people', 'companies'] },
  },
});

function formOf(entries: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(`settings.${name}`, value);
  return form;
}

const DEFAULT_OBJECTS = [
  ['objects', 'people'],
  ['objects', 'companies'],
] as const;

describe('the form of an integration', () => {
  it('sends values in their types, and leaves out what is empty or the default', () => {
    const form = formOf([['key', ' k '], ['limit', '7'], ['mode', ''], ['map', '{"title": null}'], ...DEFAULT_OBJECTS]);
    expect(readFields(fields, form, 'settings.')).toEqual({
      values: { key: 'k', limit: 7, map: { title: null } },
      problems: [],
    });
  });

  it('brings a default back where a value is emptied', () => {
    const form = formOf([['key', ''], ['limit', ''], ['mode', ''], ['map', ''], ...DEFAULT_OBJECTS]);
    const current = { limit: 7, mode: 'slow', objects: ['people'] };
    expect(readFields(fields, form, 'settings.', current).values).toEqual({ limit: null, mode: null, objects: null });
  });

  it('reads lists of values by name from lines, and writes them back', () => {
    const [filters] = listFields({
      properties: { filters: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } } },
    });
    const typed = 'stage: customer\n\n stage : lead, warm\nowner: Ada: Lovelace';
    const lists = { stage: ['customer', 'lead, warm'], owner: ['Ada: Lovelace'] };
    expect(readFields([filters!], formOf([['filters', typed]]), 'settings.')).toEqual({
      values: { filters: lists },
      problems: [],
    });
    expect(formatField(filters!.field, lists)).toBe('stage: customer\nstage: lead, warm\nowner: Ada: Lovelace');
    expect(readFields([filters!], formOf([['filters', 'stage customer']]), 'settings.').problems).toEqual([
      { field: 'settings.filters', message: 'Each line needs a name, a colon and a value.' },
    ]);
  });

  it('sends what is ticked', () => {
    const form = formOf([['objects', 'deals']]);
    expect(readFields(fields, form, 'settings.').values).toEqual({ objects: ['deals'] });
  });

  it('names the field that is no JSON', () => {
    const form = formOf([['map', '{title: null}'], ...DEFAULT_OBJECTS]);
    expect(readFields(fields, form, 'settings.').problems).toEqual([
      { field: 'settings.map', message: expect.stringContaining('no JSON') },
    ]);
  });
});

import { proposeProperty } from '../../../plugins/crm/src/mapping/propose.js';
import { connectCrm, setUpCrm } from './crm-client.js';

const stage = setUpCrm();

interface FieldRow {
  readonly name: string;
  readonly property: string | null;
  readonly direction: string | null;
  readonly wins: string | null;
  readonly confidence_field: string | null;
  readonly proposed: string | null;
}

describe('the fields of the CRM', () => {
  it('come with what they state, how they are synced, and a proposal for those that are not', async () => {
    const client = await stage.hub.workspace();
    stage.hubspot.fields['contacts'] = { ...stage.hubspot.fields['contacts'], job_level: {}, shoesize: {}, sure: {} };
    await connectCrm(client, stage.hubspot, {
      direction: 'both',
      field_map: { title: { field: 'jobtitle', wins: 'review', confidence_field: 'sure' }, phone: null },
    });
    const { body } = await client.get<{ fields: FieldRow[] }>('/v2/plugins/crm/fields/contacts');
    const find = (name: string) => body.fields.find(field => field.name === name);
    expect(find('jobtitle')).toMatchObject({
      property: 'title',
      direction: 'both',
      wins: 'review',
      confidence_field: 'sure',
      proposed: null,
    });
    expect(find('phone')).toMatchObject({ property: null, direction: null, wins: null, proposed: 'phone' });
    expect(find('job_level')).toMatchObject({ property: null, proposed: 'seniority' });
    expect(find('shoesize')).toMatchObject({ property: null, proposed: null });
    const ranks = body.fields.map(({ property, proposed }) => (property !== null ? 0 : proposed !== null ? 1 : 2));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });
});

describe('the property of a field', () => {
  const propose = (name: string, label: string, ...taken: string[]) =>
    proposeProperty('contacts', { name, label }, new Set(taken));

  it('is proposed by the name or the label, in whatever spelling', () => {
    expect(propose('x1', 'Job Function')).toBe('department');
    expect(propose('hs_seniority', 'Rank')).toBe('seniority');
    expect(propose('TIME_FRAME', '')).toBe('timeline');
    expect(proposeProperty('companies', { name: 'x', label: 'Number of Employees' }, new Set())).toBe('headcount');
  });

  it('is not proposed if another field has it, or if the name only resembles one', () => {
    expect(propose('x1', 'Job Function', 'department')).toBeNull();
    expect(propose('title_of_last_book', 'Title of the last book')).toBeNull();
    expect(propose('x1', 'Number of employees')).toBeNull();
    expect(propose('donotcall', 'Do not call')).toBeNull();
  });
});

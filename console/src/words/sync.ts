const number = new Intl.NumberFormat('en');

const PROVIDERS: Readonly<Record<string, string>> = {
  attio: 'Attio',
  hubspot: 'HubSpot',
  pipedrive: 'Pipedrive',
  salesforce: 'Salesforce',
};

/** Returns the name of a CRM for people. @param provider as the plugin names it */
export function nameProvider(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

const listDirections = (crm: string): Readonly<Record<string, string>> => ({
  both: 'both ways',
  pull: `from ${crm}`,
  push: `to ${crm}`,
});

/**
 * Returns the words of the pages about a sync. They load with these pages only.
 * @param crm name of the CRM within a sentence: `HubSpot`, or `the CRM` where it is not known yet
 */
export const toSyncWords = (crm = 'the CRM') => ({
  direction: {
    pull: `reads from ${crm}`,
    push: `writes to ${crm}`,
    both: 'reads and writes',
  },
  auto: (isOn: boolean) => (isOn ? 'every 10 minutes' : 'only when you start it'),
  dryRun: 'Dry run',
  sync: 'Sync now',
  syncAll: 'Read everything again',
  syncAllHint: 'Reads every record, not only what changed, as after a change of the fields',
  lastSync: 'Last sync',
  neverSynced: 'Nothing has been synced yet',
  neverSyncedText: 'A dry run counts what a sync would do and shows examples. It records and writes nothing.',
  run: {
    queued: 'A sync is running',
    running: 'A sync is running',
    paused: 'The sync is paused',
    finished: 'Some records were refused',
    failed: 'The last sync failed',
    cancelled: 'The last sync was cancelled',
  },
  counts: 'What became of the records',
  object: {
    companies: 'Companies',
    contacts: 'Contacts',
    deals: 'Deals',
    activities: 'Activities',
    push: `Written to ${crm}`,
  } as Readonly<Record<string, string>>,
  column: {
    read: 'read',
    created: 'created',
    updated: 'updated',
    unchanged: 'unchanged',
    skipped: 'left out',
    failed: 'refused',
    deleted: 'deleted',
    review: 'to decide',
  },
  dryResult: 'What a sync would do',
  dryResultText: 'Nothing was recorded or written. Start a sync to do it.',
  fromCrm: 'In the graph',
  toCrm: `In ${crm}`,
  outcome: {
    sample: 'sample',
    created: 'would be created',
    updated: 'would change',
    review: 'needs your decision',
    failed: 'would be refused',
  } as Readonly<Record<string, string>>,
  nothingToDo: 'Both sides agree already.',
  massChange: (records: number, limit: number) =>
    `${number.format(records)} records of ${crm} would be created or changed. Up to ${number.format(limit)} need no approval, so ` +
    'nothing was written yet.',
  apply: 'Write them',
  discard: `Leave ${crm} as it is`,
  applied: 'Approved. A sync is writing them.',
  discarded: `${capitalize(crm)} stays as it is, until values change again.`,
  missing: (fields: readonly string[]) =>
    `${capitalize(crm)} does not have these fields, so they are left out: ${fields.join(', ')}.`,
  noReviews: 'Nothing waits for a decision.',
  toDecide: (reviews: number | undefined) =>
    reviews === undefined ? 'To decide' : `To decide: ${number.format(reviews)}`,
  reviewsText: `The graph and ${crm} have different values here.`,
  ours: 'Graph',
  theirs: capitalize(crm),
  write: `Write to ${crm}`,
  keep: `Keep in ${crm}`,
  written: 'The next sync writes it.',
  kept: `${capitalize(crm)} keeps its value.`,
  changes: 'What travelled',
  noChanges: 'No value has travelled yet',
  noChangesText: 'What the first sync reads is not listed; every later change is, with its cause.',
  what: 'Record',
  field: 'Field',
  change: 'Change',
  cause: 'Why',
  when: 'When',
  toward: { pull: `from ${crm}`, push: `to ${crm}` },
  empty: 'nothing',
  becomes: 'becomes',
  reason: {
    changed_in_crm: `it was changed in ${crm}`,
    claim_wins: 'the graph knows it better',
    claim_is_newer: 'the graph has it from later',
    field_is_blank: `${crm} had nothing`,
    approved: 'you decided so',
    created: 'the contact was created',
    needs_review: 'you decide',
  } as Readonly<Record<string, string>>,
  fields: {
    title: 'Fields',
    table: 'Fields and what they state',
    of: 'Whose fields',
    back: 'Back to the sync',
    text: 'What each field of the CRM states in the graph, and which ways its values travel. After a change, read everything again.',
    search: 'Find a field',
    shown: 'Which fields',
    show: { all: 'All', synced: 'Synced', proposed: 'Proposed' },
    head: ['Field of the CRM', 'Property', 'Direction', 'If values differ'],
    notSynced: 'not synced',
    take: (property: string) => `Sync as ${property}`,
    change: 'Change',
    count: (shown: number, all: number) =>
      shown < all
        ? `The first ${number.format(shown)} of ${number.format(all)} fields. The search finds the others.`
        : all === 1
          ? 'One field.'
          : `${number.format(all)} fields.`,
    property: 'Property',
    propertyHint: 'One from the list, or a name of your own such as contract_end. Leave empty to leave the field out.',
    propertyFormat: 'Lower-case letters, digits and underscores, beginning with a letter',
    ways: 'Direction',
    asUsual: (direction: string | null) =>
      direction === null ? 'As is usual' : `As is usual: ${listDirections(crm)[direction] ?? direction}`,
    direction: listDirections(crm),
    readOnly: 'The CRM computes this field, so that it is only read.',
    winner: 'If the CRM has another value',
    wins: {
      claims: 'the claim is written',
      newest: 'the newer one is kept',
      blanks: 'only blanks are filled',
      crm: 'the CRM keeps its own',
      review: 'you decide',
    } as Readonly<Record<string, string>>,
    asSync: 'As for the sync as a whole',
    confidence: 'Write the confidence to',
    freshness: 'Write the freshness to',
    nowhere: 'No field',
    save: 'Save',
    leaveOut: 'Leave out',
    saved: 'Saved. “Read everything again” brings the values of older records.',
  },
  locked: (plan: string) =>
    `This needs the plan ${plan}. Ask the operator of this hub for an upgrade. The samples below show what it does.`,
  notConnected: (sync: string) => `${sync} is not connected`,
  notConnectedText: 'Connect it under Integrations.',
});

/** The words of the pages about a sync. */
export type SyncWords = ReturnType<typeof toSyncWords>;

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

import { count, time } from './schema-parts.js';

/** Numbers of what was written to the CRM. */
export const pushCounts = {
  type: ['object', 'null'],
  description: 'Numbers of records that were compared with the graph. Null if nothing is written to the CRM.',
  required: ['compared', 'created', 'updated', 'unchanged', 'review', 'skipped', 'failed'],
  properties: {
    compared: count('Number of records that were compared.'),
    created: count('Number of contacts that were created in the CRM.'),
    updated: count('Number of records that got values.'),
    unchanged: count('Number of records that got nothing.'),
    review: count('Number of records with a value that waits for a decision.'),
    skipped: count('Number of records that were left out.'),
    failed: count('Number of records that the CRM refused; the report of the run says why.'),
  },
} as const;

const text = (description: string, example: string) => ({ type: 'string', description, examples: [example] });
const value = (description: string, example: string) => ({
  type: ['string', 'null'],
  description,
  examples: [example],
});
const address = {
  object: { type: 'string', enum: ['companies', 'contacts'], description: 'Kind of the record.' },
  id: text('ID of the record in the CRM.', '501'),
  entity_id: text('ID of the person or company.', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'),
  field: text('Name of the field in the CRM.', 'jobtitle'),
  property: text('Property in the graph.', 'title'),
} as const;
const nextCursor = {
  type: ['string', 'null'],
  description: 'Value of `cursor` for the next page. Null on the last one.',
} as const;

/** The query of a list in pages. */
export const pageQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'string', maxLength: 10, description: 'Number of entries of a page, 1 to 500. Default: 100.' },
    cursor: { type: 'string', maxLength: 500, description: '`next_cursor` of the page before.' },
  },
} as const;

/** A mass change that waits. */
export const massChange = {
  type: ['object', 'null'],
  description: 'Changes of the CRM that wait for an approval, because they are many. Null if none wait.',
  required: ['at', 'records', 'limit', 'samples'],
  properties: {
    at: time('When they were counted, ISO 8601.'),
    records: count('Number of records that would be created or changed.'),
    limit: count('Number of records that need no approval.'),
    samples: {
      type: 'array',
      description: 'Up to 20 examples.',
      items: {
        type: 'object',
        required: ['object', 'id', 'entity_id', 'name', 'outcome', 'changes'],
        properties: {
          object: address.object,
          id: value('ID of the record. Null for one that would be created.', '501'),
          entity_id: address.entity_id,
          name: value('Name of the person or company.', 'Ada Byron'),
          outcome: text('What would become of the record.', 'updated'),
          changes: {
            type: 'array',
            description: 'Values that would be written.',
            items: {
              type: 'object',
              required: ['field', 'property', 'before', 'after', 'reason'],
              properties: {
                field: address.field,
                property: address.property,
                before: value('Value of the field now.', 'CFO'),
                after: value('Value that would be written.', 'CEO'),
                reason: text('Why it would be written.', 'claim_wins'),
              },
            },
          },
        },
      },
    },
  },
} as const;

/** How a mass change is decided. */
export const approveBody = {
  type: 'object',
  additionalProperties: false,
  required: ['decision'],
  examples: [{ decision: 'apply' }],
  properties: {
    decision: {
      type: 'string',
      enum: ['apply', 'discard'],
      description:
        '`apply` starts a sync that writes it; `discard` leaves the CRM as it is, until values change again.',
    },
  },
} as const;

/** A mass change that was decided. */
export const approveResponse = {
  type: 'object',
  required: ['decision', 'records', 'run'],
  properties: {
    decision: { type: 'string', enum: ['apply', 'discard'], description: 'The decision that was sent.' },
    records: count('Number of records of the mass change.'),
    run: {
      type: ['string', 'null'],
      description:
        'ID of the sync that writes it, or of a running one after which the next one does. Null if it was discarded.',
      examples: ['01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'],
    },
  },
} as const;

/** A page of values that travelled. */
export const changesResponse = {
  type: 'object',
  required: ['changes', 'next_cursor'],
  properties: {
    changes: {
      type: 'array',
      description: 'Values that were read or written, the newest first.',
      items: {
        type: 'object',
        required: [
          'at',
          'direction',
          'object',
          'id',
          'entity_id',
          'name',
          'field',
          'property',
          'before',
          'after',
          'cause',
        ],
        properties: {
          at: time('When it was read or written, ISO 8601.'),
          direction: { type: 'string', enum: ['pull', 'push'], description: '`pull` from the CRM, `push` to it.' },
          ...address,
          name: value('Name of the person or company. Null if it has none.', 'Ada Byron'),
          before: value('Value of the field before.', 'CFO'),
          after: value('Value of the field after.', 'CEO'),
          cause: text('Why the value travelled.', 'claim_wins'),
        },
      },
    },
    next_cursor: nextCursor,
  },
} as const;

/** A page of values to decide. */
export const reviewsResponse = {
  type: 'object',
  required: ['reviews', 'next_cursor'],
  properties: {
    reviews: {
      type: 'array',
      description: 'Values that wait for a decision.',
      items: {
        type: 'object',
        required: ['object', 'id', 'entity_id', 'name', 'field', 'property', 'ours', 'theirs', 'at'],
        properties: {
          ...address,
          name: value('Name of the person or company. Null if it has none.', 'Ada Byron'),
          ours: text('What the graph has, as the CRM would keep it.', 'CEO'),
          theirs: value('What the CRM has. Null if it has no value.', 'CFO'),
          at: time('When the difference was found, ISO 8601.'),
        },
      },
    },
    next_cursor: nextCursor,
  },
} as const;

/** Which value a field gets. */
export const verdictBody = {
  type: 'object',
  additionalProperties: false,
  required: ['decision'],
  examples: [{ decision: 'write' }],
  properties: {
    decision: {
      type: 'string',
      enum: ['write', 'keep'],
      description: '`write` writes the value of the graph with the next sync; `keep` leaves the one of the CRM.',
    },
  },
} as const;

/** What was decided. */
export const verdictResponse = {
  type: 'object',
  required: ['object', 'id', 'field', 'ours', 'theirs', 'decision'],
  properties: {
    object: address.object,
    id: address.id,
    field: address.field,
    ours: text('What the graph has, as the CRM would keep it.', 'CEO'),
    theirs: value('What the CRM has. Null if it has no value.', 'CFO'),
    decision: { type: 'string', enum: ['write', 'keep'], description: 'The decision that was sent.' },
  },
} as const;

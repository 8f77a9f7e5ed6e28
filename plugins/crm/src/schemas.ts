import { syncPage } from '@rapport/plugin-sdk';

/** Returns the schema of a time that can be null. */
const time = (description: string) => ({
  type: ['string', 'null'],
  description,
  examples: ['2026-11-20T09:30:00.000Z'],
});

/** What a run of a sync is started with: by users, or by the plugin for one record. */
export const runInput = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...syncPage.startBody.properties,
    record: {
      type: 'object',
      additionalProperties: false,
      required: ['object', 'id'],
      properties: {
        object: { type: 'string', enum: ['companies', 'contacts'], description: 'Kind of the record.' },
        id: { type: 'string', maxLength: 100, description: 'ID of the record in the CRM.' },
      },
    },
  },
} as const;

/** What is known of one record. */
export const recordResponse = {
  type: 'object',
  required: [
    'object',
    'id',
    'state',
    'entity_id',
    'updated_at',
    'synced_at',
    'pushed_at',
    'error',
    'values',
    'reasons',
  ],
  properties: {
    object: { type: 'string', enum: ['companies', 'contacts'], description: 'Kind of the record.' },
    id: { type: 'string', description: 'ID of the record in the CRM.', examples: ['501'] },
    state: {
      type: 'string',
      enum: ['synced', 'failed', 'deleted', 'erased', 'unknown'],
      description:
        '`synced`: it was read or written; `failed`: it was refused, see `error`; `deleted`: it was deleted in the CRM, and its facts stay; `erased`: its person was erased, and it is not ' +
        'read again; `unknown`: no sync has read it.',
    },
    entity_id: { type: ['string', 'null'], description: 'Person or company. Null unless the record was taken.' },
    updated_at: time('When the record was last changed in the CRM, ISO 8601.'),
    synced_at: time('When it last stated something new, ISO 8601.'),
    pushed_at: time('When values were last written to it, ISO 8601.'),
    error: {
      type: ['string', 'null'],
      description: 'Why the record was refused here, or the last values in the CRM. Null if they were not.',
    },
    values: {
      type: 'object',
      description: 'Values of the mapped fields, as they were last read or written.',
      additionalProperties: { type: ['string', 'null'] },
    },
    reasons: {
      type: 'object',
      description: 'Why each property was written to the CRM or not, the last time they were compared.',
      additionalProperties: { type: 'string' },
    },
  },
} as const;

import { massChange, pushCounts } from './push.schemas.js';
import { count, time } from './schema-parts.js';

const counts = {
  type: 'object',
  description: 'Numbers of records of one kind.',
  required: ['read', 'created', 'updated', 'unchanged', 'skipped', 'failed', 'deleted'],
  properties: {
    read: count('Number of records that were read.'),
    created: count('Number of records that made a new person or company.'),
    updated: count('Number of records that stated something new.'),
    unchanged: count('Number of records that stated nothing new.'),
    skipped: count('Number of records that the settings leave out, or whose person was erased.'),
    failed: count('Number of records that were refused; the report of the run says why.'),
    deleted: count('Number of known records that are deleted in the CRM.'),
  },
} as const;

const countsByObject = {
  type: 'object',
  description: 'Numbers by object: `companies`, `contacts`, `deals` and `activities`.',
  additionalProperties: counts,
} as const;

/** How a sync is started. */
export const startBody = {
  type: 'object',
  additionalProperties: false,
  examples: [{ mode: 'full', dry_run: true }],
  properties: {
    mode: {
      type: 'string',
      enum: ['changes', 'full'],
      description:
        '`changes` reads what changed since the last sync, or everything the first time; `full` reads everything. ' +
        'Default: `changes`.',
    },
    dry_run: {
      type: 'boolean',
      description: 'Whether to count and show what would be recorded, and record nothing. Default: false.',
    },
  },
} as const;

/** What a run of a sync is started with: by users, or by the plugin for one record. */
export const runInput = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...startBody.properties,
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

/** A sync that was started. */
export const startResponse = {
  type: 'object',
  required: ['run', 'dry_run'],
  properties: {
    run: {
      type: 'string',
      description: 'ID of the run; its progress and result are at /v2/plugins/crm/runs/{id}.',
      examples: ['01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'],
    },
    dry_run: { type: 'boolean', description: 'Whether nothing is recorded.' },
  },
} as const;

/** The state of the sync. */
export const statusResponse = {
  type: 'object',
  required: ['provider', 'direction', 'auto_sync', 'last_sync', 'mass_change', 'missing_fields'],
  properties: {
    provider: { type: 'string', description: 'CRM that is connected.', examples: ['hubspot'] },
    direction: { type: 'string', enum: ['pull', 'push', 'both'], description: 'Which ways values travel.' },
    auto_sync: { type: 'boolean', description: 'Whether changes are synced every 10 minutes.' },
    last_sync: {
      type: ['object', 'null'],
      description: 'The last sync that ended. Null before the first one.',
      required: ['finished_at', 'mode', 'counts', 'push'],
      properties: {
        finished_at: time('When it ended, ISO 8601.'),
        mode: {
          type: 'string',
          enum: ['changes', 'full'],
          description: 'Whether it read what had changed, or everything.',
        },
        counts: countsByObject,
        push: pushCounts,
      },
    },
    mass_change: massChange,
    missing_fields: {
      type: 'array',
      description: 'Mapped fields that the CRM does not have, or no longer has. They are left out of the sync.',
      items: { type: 'string', examples: ['contacts.jobtitle'] },
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

/** The fields of an object of the CRM. */
export const fieldsResponse = {
  type: 'object',
  required: ['fields'],
  properties: {
    fields: {
      type: 'array',
      description: 'Fields of the CRM: those that are synced, then those with a proposal, then the others.',
      items: {
        type: 'object',
        required: [
          'name',
          'label',
          'type',
          'is_read_only',
          'property',
          'direction',
          'wins',
          'confidence_field',
          'freshness_field',
          'proposed',
        ],
        properties: {
          name: { type: 'string', description: 'Name of the field.', examples: ['jobtitle'] },
          label: { type: 'string', description: 'Name of the field for people.', examples: ['Job title'] },
          type: { type: 'string', description: 'Type of its values in the CRM.', examples: ['string'] },
          property: {
            type: ['string', 'null'],
            description: 'Property that the field states. Null if it is not synced.',
            examples: ['title'],
          },
          direction: {
            type: ['string', 'null'],
            description: 'Which ways values travel: `pull`, `push` or `both`. Null if the field is not synced.',
            examples: ['both'],
          },
          is_read_only: {
            type: 'boolean',
            description: 'Whether the CRM computes the field, so that nothing can write it.',
            examples: [false],
          },
          wins: {
            type: ['string', 'null'],
            description: 'Which value wins in the CRM, as in the setting `wins`. Null if the field is not synced.',
            examples: ['claims'],
          },
          confidence_field: {
            type: ['string', 'null'],
            description: 'Field of the CRM that gets the confidence of the value. Null if none does.',
            examples: [null],
          },
          freshness_field: {
            type: ['string', 'null'],
            description: 'Field of the CRM that gets the freshness of the value. Null if none does.',
            examples: [null],
          },
          proposed: {
            type: ['string', 'null'],
            description:
              'Property that the field states by its name. `field_map` takes it. Null if it is synced, or none fits.',
            examples: [null],
          },
        },
      },
    },
  },
} as const;

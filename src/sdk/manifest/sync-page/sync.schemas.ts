import { massChange, pushCounts } from './changes.schemas.js';
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

/** A sync that was started. */
export const startResponse = {
  type: 'object',
  required: ['run', 'dry_run'],
  properties: {
    run: {
      type: 'string',
      description: 'ID of the run; its progress and result are at /v2/plugins/{plugin}/runs/{id}.',
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
    reviews: count('Number of values that wait for a decision, counted up to 1000. Left out if they are not counted.'),
    missing_fields: {
      type: 'array',
      description: 'Mapped fields that the CRM does not have, or no longer has. They are left out of the sync.',
      items: { type: 'string', examples: ['contacts.jobtitle'] },
    },
  },
} as const;

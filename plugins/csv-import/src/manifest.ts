import type { PluginManifest } from '@rapport/plugin-sdk';
import { changeBody, listQuery, responses, rowsQuery, startBody, undoBody, uploadQuery } from './schemas.js';

const query = { type: 'object', additionalProperties: false, properties: {} };

/** What the hub knows of the plugin before any of its code runs. Data only. */
export default {
  id: 'csv-import',
  displayName: 'CSV import',
  description: 'Imports files of LinkedIn, HubSpot, Excel and others as people, companies and notes.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  icon: 'upload',
  runs: {
    import: {
      title: 'Import a file',
      description: 'Records what the rows of a file state about people and companies.',
      stepTimeoutMs: 300_000,
      concurrency: 2,
    },
    undo: {
      title: 'Undo an import',
      description: 'Retracts what an import recorded, as if it had never run.',
      stepTimeoutMs: 300_000,
    },
  },
  routes: {
    upload: {
      method: 'POST',
      path: 'imports',
      auth: 'workspace',
      summary: 'Upload a file and preview its import',
      query: uploadQuery,
      response: responses.upload,
      statuses: [201, 200],
      upload: {
        maxBytes: 1_000_000_000,
        contentTypes: [
          'text/csv',
          'application/csv',
          'text/plain',
          'text/tab-separated-values',
          'application/vnd.ms-excel',
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          'application/octet-stream',
        ],
      },
    },
    list: {
      method: 'GET',
      path: 'imports',
      auth: 'workspace',
      summary: 'List imports',
      query: listQuery,
      response: responses.list,
    },
    read: {
      method: 'GET',
      path: 'imports/:id',
      auth: 'workspace',
      summary: 'Get an import and its preview',
      query,
      response: responses.read,
    },
    change: {
      method: 'PATCH',
      path: 'imports/:id',
      auth: 'workspace',
      summary: 'Change how the file of an import is read',
      query,
      body: changeBody,
      response: responses.change,
    },
    rows: {
      method: 'GET',
      path: 'imports/:id/rows',
      auth: 'workspace',
      summary: 'List rows of a dry run by what they would do',
      query: rowsQuery,
      response: responses.rows,
    },
    start: {
      method: 'POST',
      path: 'imports/:id/start',
      auth: 'workspace',
      summary: 'Start an import or its dry run',
      query,
      body: startBody,
      response: responses.start,
      statuses: [202],
    },
    undo: {
      method: 'POST',
      path: 'imports/:id/undo',
      auth: 'workspace',
      summary: 'Undo an import or count what that would retract',
      query,
      body: undoBody,
      response: responses.undo,
      statuses: [202],
    },
    remove: {
      method: 'DELETE',
      path: 'imports/:id',
      auth: 'workspace',
      summary: 'Delete an import and its file',
      query,
      response: responses.remove,
    },
  },
} as const satisfies PluginManifest;

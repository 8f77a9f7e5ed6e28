import { FIELDS } from './mapping/fields.js';
import { RECORD_SYSTEMS } from './imports/candidate.js';
import { OUTCOMES } from './imports/dry-run.js';
import { MAX_COLUMNS, TARGETS } from './imports/import-store.js';
import { ENCODINGS } from './reading/encoding.js';

const text = (description: string, example: string) => ({ type: 'string', description, examples: [example] });
const textOrNull = (description: string) => ({ type: ['string', 'null'], description });
const boundedText = (maxLength: number, description: string) => ({ type: 'string', maxLength, description });
const integer = (description: string) => ({ type: 'integer', minimum: 0, description });
const integerOrNull = (description: string) => ({ type: ['integer', 'null'], minimum: 0, description });
const time = (description: string) => ({ type: 'string', format: 'date-time', description });
const list = (items: object, description: string) => ({ type: 'array', items, description });

function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  return { type: 'object', required: Object.keys(properties).filter(name => !optional.includes(name)), properties };
}

const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const dateOrder = {
  enum: ['day_first', 'month_first', null],
  description: 'Order of dates such as 03/04/2025. Null if the file does not tell it.',
};
const decimal = { enum: [',', '.'], description: 'Decimal sign of numbers.' };
const field = {
  enum: [...FIELDS, null],
  description: 'What the column states. Null if the column is not imported.',
};

const rejectionReason = object({
  field: textOrNull('Field with the problem. Null if it is the row itself.'),
  error: text('What is wrong and how to fix it; values of rows are left out.', 'The row has no note.'),
  rows: integer('Number of rows with this problem.'),
  line: integer('Line of the first of them.'),
});

const outcomes = object({
  created: integer('Rows that create a person or company.'),
  adding: integer('Rows about somebody known that state something the graph lacks.'),
  unchanged: integer('Rows about somebody known that state nothing new.'),
  contradicting: integer('Rows that state another value than the graph has. What holds is decided by the claims.'),
  repeated: integer('Rows about somebody of an earlier row.'),
  rejected: integer('Rows that would not be imported.'),
});

const undone = object({
  observations: integer('Observations that are retracted.'),
  notes: integer('Notes that are retracted.'),
  leads: integer('Leads that are removed because nobody has worked them.'),
  entities_removed: integer('People and companies that disappear because nothing else is known about them.'),
});

const run = object({
  id: text(
    'ID of the run. Its progress, its rejected rows, pause, resume and cancel are below `/v2/plugins/csv-import/runs/<id>`.',
    '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
  ),
  kind: { enum: ['import', 'undo'], description: 'Whether the run imports the file or undoes the import.' },
  dry_run: { type: 'boolean', description: 'Whether the run only counts.' },
  target: { enum: [...TARGETS, null], description: 'What the run writes. Null for an undo.' },
  started_at: time('Time at which the run was started, ISO 8601.'),
  status: text('Status of the run, or `expired` once it is no longer kept.', 'running'),
  done: integerOrNull('Bytes of the file that were read; of an undo, observations that were retracted.'),
  total: integerOrNull('Bytes of the file. Null for an undo.'),
  rejected: integerOrNull('Number of rows that were rejected so far.'),
  result: {
    description: 'Counts of an import. Null until it has ended, and for an undo.',
    ...orNull(
      object(
        {
          rows: integer('Rows of the file, without blank lines and footers.'),
          created: integer('Rows for which a person or company is created.'),
          matched: integer('Rows about somebody who is known already.'),
          rejected: integer('Rows that are not imported.'),
          notes: integer('Notes of the rows that are imported.'),
          rejections: list(rejectionReason, 'Reasons for which rows are rejected, the most frequent of 20 first.'),
          outcomes: {
            ...outcomes,
            description: 'Rows by what they would do. Missing unless the run is a dry run.',
          },
          leads: integer('People who are added to the lead list. Missing for other targets.'),
          list_id: textOrNull(
            'ID of the lead list. Null in a dry run and if nobody was added, missing for other targets.',
          ),
        },
        ['rejections', 'outcomes', 'leads', 'list_id'],
      ),
    ),
  },
  retracted: { description: 'Counts of an undo. Null for an import, and until the undo has ended.', ...orNull(undone) },
  error: textOrNull('Why the run failed. Null unless it did.'),
});

const dialect = object({
  encoding: text('Encoding of the file.', 'utf-8'),
  encoding_reason: text('How the encoding was found.', 'The file is valid UTF-8.'),
  doubtful_line: integerOrNull('First line that another encoding reads differently. Null if there is none.'),
  doubtful_text: textOrNull('Text of that line as it is read. Null if it is not in the sample.'),
  delimiter: text('Character between the cells of a row.', ','),
  quote: text('Character that encloses cells.', '"'),
  header_line: integerOrNull('Line of the header, from 1. Null if the file has none.'),
  preamble: list({ type: 'string' }, 'Texts above the header.'),
});

const column = object({
  index: integer('Position of the column, from 0. It tells columns of one name apart.'),
  header: text('Name of the column.', 'E-mail'),
  field,
  property: textOrNull('Property of your own that the column states, such as `renewal_month`. Null if it states none.'),
  confidence: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    examples: [0.95],
    description: 'How certain the field is, from 0 to 1.',
  },
  repeatable: { type: 'boolean', description: 'Whether several columns can state the field, such as `email`.' },
  reason: text('Why the field is proposed, or why none is.', 'The header is a name of this field.'),
  examples: list({ type: 'string' }, 'First cells of the column that are not empty.'),
});

const preview = {
  dialect: { description: 'How the file is written. Null once the file has expired.', ...orNull(dialect) },
  mapping: {
    description: 'What the columns state. Null once the file has expired.',
    ...orNull(
      object({
        from: { enum: ['saved', 'proposed'], description: '`saved` if the workspace imported this header before.' },
        columns: list(column, 'Columns in the order of the file.'),
        date_order: dateOrder,
        decimal,
        has_ambiguous_dates: { type: 'boolean', description: 'Whether `date_order` must be chosen.' },
      }),
    ),
  },
  sample: list(
    object({
      line: integer('Physical line of the row, from 1.'),
      cells: list({ type: 'string' }, 'Cells of the row, cut to 200 characters.'),
      problem: textOrNull('What is wrong with the row. Null if nothing is.'),
    }),
    'First 20 rows of the file.',
  ),
  foreseen: {
    description: 'What the first 100 rows will lead to. Null once the file has expired.',
    ...orNull(
      object({
        rows: integer('Number of rows that were looked at.'),
        rejected: integer('Rows that will be rejected.'),
        rejections: list(
          object({
            line: integer('Physical line of the row.'),
            field: textOrNull('Field with the problem. Null if it is the row itself.'),
            error: text(
              'What is wrong and how to fix it.',
              'email is not an e-mail address. Send one such as ada@acme.com.',
            ),
          }),
          'Up to 5 of them.',
        ),
        repeated: integer('Rows about somebody of an earlier row.'),
        repeated_lines: list({ type: 'integer' }, 'Lines of up to 5 of them.'),
        known: integer('Rows about somebody whom the graph has already.'),
        conflicts: integer('Facts that the graph has with another value.'),
        conflict_examples: list(
          object({
            line: integer('Physical line of the row.'),
            field: text('Property of the fact.', 'title'),
            known: text('Value in the graph.', 'CFO'),
            given: text('Value of the row.', 'CEO'),
          }),
          'Up to 5 of them.',
        ),
      }),
    ),
  },
};

const shownImport = {
  id: text('ID of the import. The same file is the same import.', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'),
  file_name: text('Name of the file.', 'contacts.csv'),
  bytes: integer('Size of the file in bytes, for a workbook that of its sheet as CSV.'),
  workbook: {
    description: 'The sheet of a workbook. Null for a text file.',
    ...orNull(
      object({
        sheet: text('Name of the sheet that is imported.', 'Contacts'),
        sheets: list({ type: 'string' }, 'Names of all visible sheets, in their order.'),
      }),
    ),
  },
  file_date: time('Time at which rows without a time of their own were true, ISO 8601.'),
  created_at: time('Time of the first upload, ISO 8601.'),
  file_expires_at: time('Time at which the file is deleted, ISO 8601.'),
  runs: list(run, 'Runs of the import, newest first, up to 20.'),
};

const importWithPreview = {
  ...object({ ...shownImport, ...preview }),
  description: 'The import, with a preview of its file.',
};

/** Query and form fields of an upload. */
export const uploadQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    encoding: { type: 'string', enum: [...ENCODINGS], description: 'Encoding of the file. Default: it is detected.' },
    delimiter: boundedText(3, 'Character between cells, or `tab`. Default: it is detected.'),
    header_line: boundedText(6, 'Line of the header, from 1; 0 for a file without one. Default: it is detected.'),
    sheet: boundedText(100, 'Name of the sheet, if the file is an Excel workbook. Default: the first visible one.'),
    file_date: boundedText(40, 'Time at which the rows were true, ISO 8601. Default: the time of the upload.'),
  },
};

/** Body of a change of how a file is read. */
export const changeBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  examples: [{ delimiter: ';' }],
  properties: {
    encoding: { type: 'string', enum: [...ENCODINGS], description: 'Encoding of the file.' },
    delimiter: boundedText(3, 'Character between cells, or `tab`.'),
    header_line: {
      type: 'integer',
      minimum: 0,
      maximum: 99_999,
      description: 'Line of the header, from 1; 0 for a file without one.',
    },
    file_date: boundedText(40, 'Time at which the rows were true, ISO 8601.'),
  },
};

const limit = {
  type: 'string',
  maxLength: 3,
  pattern: '^([1-9]|[1-9][0-9]|100)$',
};

/** Query of the rows of a dry run. */
export const rowsQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['run', 'outcome'],
  properties: {
    run: { type: 'string', format: 'uuid', description: 'ID of the dry run.' },
    outcome: { type: 'string', enum: [...OUTCOMES], description: 'What the rows would do, as counted in `outcomes`.' },
    after: boundedText(20, '`next` of the previous page.'),
    limit: { ...limit, description: 'Rows per page, 1 to 100. Default: 50.' },
  },
};

/** Query of the list. */
export const listQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    after: boundedText(200, '`next` of the previous page.'),
    limit: { ...limit, description: 'Imports per page, 1 to 100. Default: 50.' },
  },
};

/** Body of a start. */
export const startBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    columns: {
      ...list(
        {
          ...object(
            {
              index: { ...integer('Position of the column, from 0.'), maximum: MAX_COLUMNS - 1 },
              field,
              property: {
                ...boundedText(60, 'Property of your own that the column states; `field` is null then. Default: none.'),
                pattern: '^[a-z][a-z0-9_]*$',
              },
            },
            ['property'],
          ),
          additionalProperties: false,
        },
        'Columns that state something else than the preview says. The others stay as they are.',
      ),
      maxItems: MAX_COLUMNS,
    },
    date_order: { ...dateOrder, enum: ['day_first', 'month_first'] },
    decimal,
    target: {
      enum: [...TARGETS],
      description:
        'What the rows become. `leads` are people who are also added to a lead list and scored. Default: people.',
    },
    list: boundedText(
      200,
      'Name of the lead list, created if there is none; only for the target `leads`. Default: the name of the file.',
    ),
    record_system: {
      enum: [...RECORD_SYSTEMS],
      description: 'System whose IDs the column `record_id` holds. Default: the IDs identify nobody.',
    },
    dry_run: { type: 'boolean', description: 'Counts what the import would do, and writes nothing. Default: false.' },
    save_mapping: { type: 'boolean', description: 'Keeps the mapping for files with this header. Default: true.' },
  },
};

/** Body of an undo. */
export const undoBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    dry_run: { type: 'boolean', description: 'Counts what would be retracted, and changes nothing. Default: false.' },
    reason: boundedText(1000, 'Why the import is undone, shown with the retraction. Default: the name of the file.'),
  },
};

/** Bodies of successful responses. */
export const responses = {
  upload: object({ import: importWithPreview }),
  read: object({ import: importWithPreview }),
  list: object({
    imports: list(object(shownImport), 'Imports of the page, newest first.'),
    next: textOrNull('Value of `after` for the next page. Null on the last page.'),
  }),
  change: object({ import: importWithPreview }),
  rows: object({
    rows: list(
      object({
        line: integer('Physical line of the row, from 1.'),
        name: textOrNull('Name of the person or company. Null if the row has none.'),
        focus: textOrNull('What identifies the person or company. Null for a rejected row.'),
        changes: list(
          object({
            property: text('Property in the graph.', 'title'),
            known: textOrNull('Value in the graph. Null if it has none.'),
            given: text('Value of the row.', 'CEO'),
          }),
          'Values that the graph lacks or has otherwise, up to 10; those that contradict come first.',
        ),
        field: textOrNull('Field for which the row is rejected. Null if it is not, or the row itself is wrong.'),
        error: textOrNull('Why the row is rejected. Null if it is not.'),
      }),
      'Rows of the page, in the order of the file.',
    ),
    next: textOrNull('Value of `after` for the next page. Null on the last page.'),
  }),
  start: object({
    run: {
      ...object({
        id: text('ID of the run, for `/v2/plugins/csv-import/runs/<id>`.', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'),
        status: text('Status of the run, such as `running`.', 'running'),
        dry_run: { type: 'boolean', description: 'Whether the run only counts.' },
        target: { enum: [...TARGETS], description: 'What the run writes.' },
      }),
      description: 'The run that was started.',
    },
  }),
  undo: object({
    run: {
      ...object({
        id: text('ID of the run, for `/v2/plugins/csv-import/runs/<id>`.', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'),
        status: text('Status of the run, such as `running`.', 'running'),
        dry_run: { type: 'boolean', description: 'Whether the run only counts.' },
      }),
      description: 'The run that was started. Its result has the counts.',
    },
  }),
  remove: object({ ok: { const: true, description: 'Always true: the import was deleted.' } }),
};

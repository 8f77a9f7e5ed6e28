import { type ErrorRow, integrationErrors } from './integration-errors.js';
import { signInErrors } from './sign-in-errors.js';

/**
 * Every error that Rapport answers with, by the value of `error` in the body.
 * `unauthorized` has no detail on purpose: its body tells an unknown caller nothing.
 */
export const errorTable = {
  unauthorized: { status: 401 },
  forbidden_scope: {
    status: 403,
    detail: 'The API key lacks a scope that this call requires. Use a key that has it; `admin` keys can create one.',
  },
  ...signInErrors,
  foreign_origin: {
    status: 403,
    detail:
      'A request that acts by a session must come from the pages of this hub, opened at its `PUBLIC_URL`: with that `Origin` ' +
      'and the header `X-Rapport-Client: console`. Programs use an API key.',
  },
  reserved_source: {
    status: 400,
    detail:
      'Sources that begin with `person:` belong to people who are signed in. Leave `source` out, or name your own.',
  },
  workspace_required: {
    status: 403,
    detail: 'Name a workspace that you are a member of, by its ID in the header `X-Rapport-Workspace`.',
  },
  last_owner: { status: 409, detail: 'A workspace keeps at least one owner. Name another owner first.' },
  already_member: { status: 409, detail: 'This person is a member already. Change the role of the member instead.' },
  operator_key: { status: 403, detail: 'The operator of the hub created this key. Ask the operator to revoke it.' },
  plan_required: {
    status: 403,
    detail:
      'The plan of this workspace does not include this feature. Upgrade the plan, or ask the operator of this hub.',
  },
  quota_exceeded: {
    status: 403,
    detail: 'A quota of this workspace is used up. Delete something, or upgrade the plan. Reads work as before.',
  },
  invalid_request: { status: 400, detail: 'The request has invalid fields. Correct the fields listed in `details`.' },
  invalid_json: { status: 400, detail: 'The body is not valid JSON. Check quotes, commas and brackets.' },
  invalid_focus: {
    status: 400,
    detail:
      '`focus` is not a precise identifier. Send an entity UUID, e-mail address, domain or LinkedIn ' +
      'URL; a bare name works for reads only.',
  },
  focus_and_observations_required: {
    status: 400,
    detail:
      '`focus` or `observations` is missing. Send `focus` as text and `observations` as a list with at least one item.',
  },
  'content required': {
    status: 400,
    detail: '`content` is missing. Send the text or JSON that the section should contain.',
  },
  section_required: {
    status: 400,
    detail: '`section` is missing. Send the name of a section, such as "icp" or "pricing".',
  },
  focus_and_content_required: {
    status: 400,
    detail: '`focus` or `content` is missing. Send both as text; `content` is the text of the note.',
  },
  focus_required: {
    status: 400,
    detail: '`focus` is missing. Send an entity UUID, e-mail address, domain, LinkedIn URL or name.',
  },
  invalid_intent: { status: 400, detail: '`intent` is not a known value. Send one of those in `valid_intents`.' },
  invalid_type: { status: 400, detail: '`type` is not a note type. Send one of those in `valid_types`.' },
  invalid_date: {
    status: 400,
    detail: '`date` is not a date. Send it as 2026-11-20, or in plain words such as "last Tuesday".',
  },
  'question required': {
    status: 400,
    detail: '`question` is missing or empty. Send what to look for, in plain words.',
  },
  focus_and_property_required: {
    status: 400,
    detail:
      '`focus` or `property` is missing. Send `focus` (the person or company) and `property` (the ' +
      'fact, such as "title").',
  },
  identifiers_required: {
    status: 400,
    detail:
      'The request has no contacts to classify. Send `rows`, or at least one of `emails`, ' +
      '`linkedin_urls` and `domains`.',
  },
  identifiers_empty: { status: 400, detail: '`identifiers` is empty. Send at least one identifier.' },
  leads_empty: { status: 400, detail: '`leads` is empty. Send at least one lead.' },
  batch_too_large: {
    status: 400,
    detail: 'The list has more items than one call accepts (see `max`). Split it into several calls.',
  },
  unknown_query_param: {
    status: 400,
    detail:
      'A query parameter does not exist. Use one of those in `supported`, or a property that the ' +
      'workspace has recorded.',
  },
  unknown_sort: { status: 400, detail: 'The list cannot be sorted by this field. Use one of those in `supported`.' },
  offset_too_large: {
    status: 400,
    detail: '`offset` or `page` is beyond 10000 rows. Continue with `next_cursor` as `cursor` instead.',
  },
  invalid_list_id: {
    status: 400,
    detail: '`list_id` is not a UUID. Send the `id` of a lead list, as `GET /v2/lead-lists` returns it.',
  },
  invalid_id: { status: 400, detail: '`id` is not a UUID. Send the `id` of a lead, as `GET /v2/leads` returns it.' },
  own_domain: {
    status: 400,
    detail:
      "The identifier is at one of the workspace's own domains. Colleagues cannot be leads; send an " +
      'external contact.',
  },
  identifier_required: {
    status: 400,
    detail: 'The request has no usable identifier. Send an e-mail address, LinkedIn URL, domain or entity ID.',
  },
  list_id_required: {
    status: 400,
    detail: 'The lead list is missing. Send `list_id`, or `list` with the name of a list.',
  },
  leads_array_required: {
    status: 400,
    detail: '`leads` is not a list with at least one lead. Send an array of lead objects.',
  },
  rows_required: { status: 400, detail: '`rows` is not a list with at least one row. Send an array of row objects.' },
  'name required': { status: 400, detail: '`name` is missing. Send the name of the list.' },
  name_or_lead_list_id_required: {
    status: 400,
    detail: 'The lead list is missing. Send `name` for a new list, or `lead_list_id` for an existing one.',
  },
  no_updatable_fields: { status: 400, detail: 'The request has no field that can be changed. Send at least one.' },
  cursor_mismatch: {
    status: 400,
    detail:
      '`cursor` belongs to another request. Start again without it, and keep the other parameters ' +
      'unchanged while paging.',
  },
  merge_impossible: { status: 400, detail: 'A person and a company cannot be merged. Check both identifiers.' },
  same_entity: { status: 400, detail: 'Both identifiers refer to the same entity. Send two different ones.' },
  keep_and_drop_required: { status: 400, detail: '`keep` or `drop` is missing. Send the identifiers of two entities.' },
  url_and_events_required: {
    status: 400,
    detail: '`url` or `events` is missing. Send an HTTPS URL and the events to send to it.',
  },
  no_gtm_context: {
    status: 400,
    detail:
      'There is nothing to build a model from. Send `description`, `examples` or `rules`, or write ' +
      'the section "icp" first.',
  },
  model_exists: {
    status: 409,
    detail: 'The workspace already has a model. Send `force: true` to replace it; previous versions are kept.',
  },
  missing_signature: {
    status: 401,
    detail: 'The delivery has no signature. Configure the webhook at the provider to sign its requests.',
  },
  invalid_signature: {
    status: 401,
    detail:
      'The signature does not match the body, or its timestamp is too old. Check the signing secret ' +
      'and the clock of the sender.',
  },
  entity_not_found: {
    status: 404,
    detail: 'No entity in this workspace matches that identifier. Check it, or record something about it first.',
  },
  not_found: {
    status: 404,
    detail: 'No route or resource matches this path. Check the path and the IDs in it; /openapi.json lists the routes.',
  },
  method_not_allowed: {
    status: 405,
    detail: 'This path does not support this method. Use one of those in `supported`.',
  },
  version_conflict: {
    status: 409,
    detail:
      'The resource changed since you read it. Compare with `current`, then send the request again with its version.',
  },
  lead_not_found: { status: 404, detail: 'No lead in this workspace has this ID. Check it with `GET /v2/leads`.' },
  list_not_found: {
    status: 404,
    detail: 'No lead list in this workspace has this ID. Check it with `GET /v2/lead-lists`.',
  },
  ambiguous_focus: {
    status: 409,
    detail: 'Several people have this phone number, listed in `entity_ids`. Send the ID of one, or another identifier.',
  },
  identifier_conflict: {
    status: 409,
    detail: 'The identifiers belong to different entities, listed in `entity_ids`. Merge these, or send those of one.',
  },
  too_many: { status: 413, detail: 'The list has more items than one call accepts. Split it into several calls.' },
  identifier_erased: {
    status: 409,
    detail:
      'An identifier belongs to a person who was erased, so nothing was recorded. To allow a new import, an admin ' +
      'calls `POST /v2/erasures/{id}/allow-reimport`.',
  },
  entity_erased: {
    status: 410,
    detail: 'This person was erased. The ID stays valid, but nothing about the person is left.',
  },
  not_a_person: {
    status: 400,
    detail: 'Only people can be erased; this is a company. Send the identifier of a person.',
  },
  idempotency_conflict: {
    status: 409,
    detail: 'This `Idempotency-Key` was already used with a different request. Use a new key for each new request.',
  },
  idempotency_in_progress: {
    status: 409,
    detail: 'A request with this `Idempotency-Key` is still running. Try again in a few seconds with the same key.',
  },
  request_timeout: {
    status: 408,
    detail: 'The request was not received in time. Send it again; send large bodies in several calls.',
  },
  too_large: { status: 413, detail: 'The body is larger than this path accepts. Split it into several calls.' },
  path_too_long: {
    status: 414,
    detail: 'A path segment is longer than any identifier. Check the identifier in the path.',
  },
  unsupported_media_type: {
    status: 415,
    detail: 'The body has an unsupported media type. Send JSON with `Content-Type: application/json`.',
  },
  rate_limited: {
    status: 429,
    detail: 'Too many requests. Wait for the number of seconds in `Retry-After`, then try again.',
  },
  headers_too_large: { status: 431, detail: 'The request headers exceed 16 KiB. Send fewer or shorter headers.' },
  internal_error: {
    status: 500,
    detail: 'An unexpected error occurred in the service. Try again; if it persists, report the `request_id`.',
  },
  unavailable: {
    status: 503,
    detail:
      'The service is temporarily unavailable; nothing was changed. Try again after the seconds in `Retry-After`.',
  },
  ...integrationErrors,
} as const satisfies Record<string, ErrorRow>;

/** The stable values of `error`. */
export type ErrorCode = keyof typeof errorTable;

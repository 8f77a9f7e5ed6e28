/** One row of the error table: the status of a code and the sentence that is said when no better one is at hand. */
export interface ErrorRow {
  readonly status: number;
  readonly detail?: string;
}

/**
 * Every error that Rapport answers with, by the value of `error` in the body.
 * `unauthorized` has no detail on purpose: its body tells a stranger nothing.
 */
export const errorTable = {
  unauthorized: { status: 401 },
  forbidden_scope: { status: 403, detail: 'This API key lacks the scope that the call needs.' },
  plan_required: { status: 403, detail: 'The plan of this workspace does not include this.' },
  invalid_request: { status: 400, detail: 'The request has fields that cannot be accepted; see details.' },
  invalid_json: { status: 400, detail: 'The body is not valid JSON.' },
  invalid_focus: {
    status: 400,
    detail: 'A write needs an entity UUID, an e-mail address, a domain or a LinkedIn URL as focus.',
  },
  focus_and_observations_required: {
    status: 400,
    detail: 'Send focus (text) and observations (a list with at least one observation).',
  },
  'content required': { status: 400, detail: 'Send content: the text or JSON that the section shall hold.' },
  section_required: { status: 400, detail: 'Send section, such as "icp" or "Pricing".' },
  focus_and_content_required: { status: 400, detail: 'Send focus (text) and content (the text of the note).' },
  focus_required: { status: 400, detail: 'Send focus: an entity UUID, e-mail address, domain, LinkedIn URL or name.' },
  invalid_intent: { status: 400, detail: 'The intent is none of those in valid_intents.' },
  invalid_type: { status: 400, detail: 'The type is none that a note can have; see valid_types.' },
  invalid_date: { status: 400, detail: 'Send the date as 2026-11-20, or in plain words such as "last Tuesday".' },
  'question required': { status: 400, detail: 'Send question: what to look for, in your own words.' },
  focus_and_property_required: {
    status: 400,
    detail: 'Send focus (who) and property (which fact, such as title).',
  },
  identifiers_required: { status: 400, detail: 'Send rows, or at least one of emails, linkedin_urls, domains.' },
  identifiers_empty: { status: 400, detail: 'identifiers is empty; send at least one.' },
  leads_empty: { status: 400, detail: 'leads is empty; send at least one.' },
  batch_too_large: { status: 400, detail: 'The list is longer than one call may carry; split it.' },
  unknown_query_param: { status: 400, detail: 'A query parameter is not known here; see supported.' },
  unknown_sort: { status: 400, detail: 'The list cannot be sorted like that; see supported.' },
  offset_too_large: { status: 400, detail: 'So many rows cannot be skipped; go on with next_cursor as cursor.' },
  invalid_list_id: { status: 400, detail: 'list_id must be the UUID of a lead list.' },
  invalid_id: { status: 400, detail: 'The id must be the UUID of a lead.' },
  own_domain: {
    status: 400,
    detail: 'The address is at a domain that the workspace calls its own; colleagues are no leads.',
  },
  identifier_required: { status: 400, detail: 'Send an e-mail address, a LinkedIn URL or another identifier.' },
  list_id_required: { status: 400, detail: 'Send list_id, or list with the name of a list.' },
  leads_array_required: { status: 400, detail: 'leads must be a list with at least one lead.' },
  rows_required: { status: 400, detail: 'rows must be a list with at least one row.' },
  'name required': { status: 400, detail: 'Send the name of the list.' },
  name_or_lead_list_id_required: { status: 400, detail: 'Send name for a new list, or lead_list_id of an old one.' },
  no_updatable_fields: { status: 400, detail: 'Send at least one field that can be changed.' },
  cursor_mismatch: { status: 400, detail: 'The cursor belongs to another list; start again without it.' },
  merge_impossible: { status: 400, detail: 'A person and a company cannot be one; check both ids.' },
  same_entity: { status: 400, detail: 'Both identifiers name the same entity; send two different ones.' },
  keep_and_drop_required: { status: 400, detail: 'Send keep and drop: the identifiers of two entities.' },
  provider_and_credentials_required: {
    status: 400,
    detail: 'Send provider (a name of GET /v2/workspace/integrations) and credentials (an object).',
  },
  invalid_credentials: { status: 400, detail: 'The credentials were not accepted; nothing was saved. See details.' },
  unknown_provider: { status: 404, detail: 'There is no such provider; GET /v2/workspace/integrations lists them.' },
  plugin_not_ready: { status: 409, detail: 'The plugin of this provider does not serve; an operator sees why.' },
  plugin_not_installed: {
    status: 409,
    detail: 'This hub does not have the plugin that does this; an operator can install it.',
  },
  crm_not_connected: { status: 400, detail: 'No CRM of that name is connected; connect it first.' },
  provider_required: { status: 400, detail: 'Send provider: which CRM is meant, such as "hubspot".' },
  url_and_events_required: { status: 400, detail: 'Send url (an https address) and events (what it is told of).' },
  no_gtm_context: {
    status: 400,
    detail: 'Send description, examples or rules, or write the ideal customer into the section "icp" first.',
  },
  model_exists: {
    status: 409,
    detail: 'The workspace has a model already; send force to take its place. Earlier versions are kept.',
  },
  connection_busy: { status: 409, detail: 'This provider is being connected by another request; try again.' },
  not_connected: { status: 404, detail: 'The workspace is not connected to this provider.' },
  provider_unreachable: { status: 502, detail: 'The provider gave no usable answer; nothing was saved. Try again.' },
  provider_refused: { status: 400, detail: 'The provider refused to be connected; nothing was saved.' },
  missing_signature: { status: 401, detail: 'The delivery lacks the signature that this address asks for.' },
  invalid_signature: { status: 401, detail: 'The signature does not fit the body, or its time is too far away.' },
  entity_not_found: { status: 404, detail: 'No entity of this workspace answers to that.' },
  not_found: { status: 404, detail: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, detail: 'The path exists, but not with this method; see supported.' },
  version_conflict: {
    status: 409,
    detail: 'Somebody else has written in the meantime; look at current, and send again what still holds.',
  },
  lead_not_found: { status: 404, detail: 'No lead of this workspace has that id.' },
  list_not_found: { status: 404, detail: 'No lead list of this workspace has that id.' },
  identifier_conflict: {
    status: 409,
    detail: 'These identifiers belong to different entities; merge them or send those of one; see entity_ids.',
  },
  too_many: { status: 413, detail: 'The list is longer than one call may carry; split it.' },
  idempotency_conflict: {
    status: 409,
    detail: 'This Idempotency-Key was used with another request; use a new key for a new request.',
  },
  idempotency_in_progress: {
    status: 409,
    detail: 'A request with this Idempotency-Key is still being worked on; try again in a moment.',
  },
  request_timeout: { status: 408, detail: 'The request did not arrive in the time that this service waits for one.' },
  too_large: { status: 413, detail: 'The body is larger than this path accepts.' },
  path_too_long: { status: 414, detail: 'A part of the path is longer than any identifier.' },
  unsupported_media_type: { status: 415, detail: 'Send the body as application/json.' },
  rate_limited: { status: 429, detail: 'Too many requests with this API key; wait as Retry-After says.' },
  headers_too_large: { status: 431, detail: 'The headers are larger than 16 KiB.' },
  internal_error: { status: 500, detail: 'Something failed on our side; the request id helps us find it.' },
  unavailable: { status: 503, detail: 'The service cannot answer right now; nothing was changed. Try again.' },
} as const satisfies Record<string, ErrorRow>;

/** The stable values of `error`. */
export type ErrorCode = keyof typeof errorTable;

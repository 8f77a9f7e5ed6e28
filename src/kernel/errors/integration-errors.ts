/** One row of the error table: the status of a code and the default sentence. */
export interface ErrorRow {
  readonly status: number;
  readonly detail?: string;
}

/** The errors of integrations, plugins and triggers. */
export const integrationErrors = {
  provider_and_credentials_required: {
    status: 400,
    detail:
      '`provider` or `credentials` is missing. Send a `provider` of `GET /v2/workspace/integrations` ' +
      'and its credentials as an object.',
  },
  invalid_credentials: {
    status: 400,
    detail: 'The provider did not accept the credentials; nothing was saved. Check them and try again; see `details`.',
  },
  unknown_provider: {
    status: 404,
    detail: 'The provider does not exist. Use one that `GET /v2/workspace/integrations` lists.',
  },
  plugin_not_ready: {
    status: 409,
    detail: "The provider's plugin is not running. Ask the operator to check `rapport admin plugins list`.",
  },
  plugin_not_installed: {
    status: 409,
    detail: 'The plugin that provides this feature is not installed. Ask the operator of this hub to install it.',
  },
  crm_not_connected: {
    status: 400,
    detail: 'This CRM is not connected. Connect it with `POST /v2/workspace/integrations` first.',
  },
  provider_required: { status: 400, detail: '`provider` is missing. Send the name of the CRM, such as "hubspot".' },
  run_not_found: { status: 404, detail: 'The run does not exist, or it ended more than 30 days ago.' },
  run_conflict: { status: 409, detail: 'The run has another status (see `status`) and cannot be changed like this.' },
  oauth_client_missing: { status: 409, detail: 'Ask the operator of this hub to register it with the provider.' },
  trigger_not_found: {
    status: 404,
    detail: 'The webhook endpoint does not exist. List them: GET /v2/workspace/triggers.',
  },
  delivery_not_found: {
    status: 404,
    detail: 'The delivery does not exist or is over 30 days old. GET /v2/workspace/triggers/:id/deliveries lists them.',
  },
  trigger_disabled: {
    status: 409,
    detail: 'The webhook endpoint is disabled. Resume it first: PATCH {"active": true}.',
  },
  too_many_triggers: {
    status: 409,
    detail: 'The workspace has as many webhook endpoints as it may have. Delete one first.',
  },
  connection_busy: { status: 409, detail: 'Another request is connecting this provider. Try again in a few seconds.' },
  not_connected: {
    status: 409,
    detail: 'The workspace is not connected. Use `connect_integration` or `POST /v2/workspace/integrations` first.',
  },
  provider_unreachable: {
    status: 502,
    detail: 'The provider did not respond as expected; nothing was saved. Try again later.',
  },
  provider_refused: {
    status: 400,
    detail: 'The provider refused the connection; nothing was saved. See `details` for its reason.',
  },
  connection_required: {
    status: 409,
    detail: 'The workspace has several connections to this provider. Name one of those in `connection_ids`.',
  },
  connection_not_found: {
    status: 404,
    detail: 'The workspace has no connection with this ID to this provider. GET /v2/workspace/integrations lists them.',
  },
  connection_name_taken: {
    status: 409,
    detail: 'Another connection to this provider has this name. Choose another name.',
  },
} as const satisfies Record<string, ErrorRow>;

/** Aliases of state properties, by canonical name. All are accepted wherever a property is named. */
export const PROPERTY_ALIASES = {
  title: ['job_title'],
  stage: ['pipeline_stage', 'deal_stage'],
  callback_at: ['callback', 'callback_date', 'follow_up_at', 'follow_up_date'],
  stage_type: ['deal_status', 'opportunity_status', 'stage_status'],
  headcount: ['employee_count', 'company_size'],
  technologies: ['tech_stack'],
  email_status: ['reachability_status'],
} as const satisfies Record<string, readonly string[]>;

/** Aliases of event types, by canonical name. The log stores the name as written; counts use the canonical one. */
export const EVENT_ALIASES = {
  email_replied: ['email_reply', 'email_received'],
  connection_accepted: ['linkedin_connected', 'linkedin_connection_accepted'],
  linkedin_replied: ['linkedin_message_received'],
  linkedin_message_sent: ['linkedin_message'],
  page_visited: ['website_visit', 'pricing_page_visit'],
} as const satisfies Record<string, readonly string[]>;

/** Canonical statuses for the words of e-mail verifiers. Any other word stays as it is. */
export const EMAIL_STATUS_WORDS = {
  deliverable: 'valid',
  valid: 'valid',
  risky: 'risky',
  unavailable: 'invalid',
  undeliverable: 'invalid',
  invalid: 'invalid',
  bounced: 'bounced',
  unsubscribed: 'unsubscribed',
} as const satisfies Record<string, string>;

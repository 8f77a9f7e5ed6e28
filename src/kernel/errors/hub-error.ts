import { PERSON_SOURCE } from '#domain/actor/actor.js';
import { errorTable, type ErrorCode } from './error-table.js';

/** A problem of one field: `field` is a path such as `observations[3].kind`, `message` says how to fix it. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  readonly index?: number;
}

interface HubErrorOptions {
  readonly detail?: string;
  readonly details?: readonly FieldProblem[];
  /** Further fields of the body, such as `max` or `supported`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  /** Methods that the path supports. */
  readonly allow?: readonly string[];
  readonly cause?: unknown;
}

/** The error that services throw. Its code is a row of the error table; the filter converts it to a response. */
export class HubError extends Error {
  readonly status: number;
  readonly detail: string | undefined;
  readonly details: readonly FieldProblem[] | undefined;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(
    readonly code: ErrorCode,
    { detail, details, extra, retryAfterSeconds, allow, cause }: HubErrorOptions = {},
  ) {
    super(code, { cause });
    const row: { status: number; detail?: string } = errorTable[code];
    this.status = row.status;
    this.detail = detail ?? row.detail;
    this.details = details;
    this.extra = extra ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
    this.allow = allow;
  }

  /** 401 with the body that the API specifies exactly. */
  static unauthorized(): HubError {
    return new HubError('unauthorized');
  }

  /**
   * 403: the key lacks `scope`. The detail says who can grant it.
   * @param what subject of the sentence, such as `The tool record`.
   */
  static missingScope(scope: string, what = 'This call'): HubError {
    const grantor =
      scope === 'internal'
        ? 'Only the operator of this hub can grant it.'
        : 'An admin of the workspace can grant it: by creating an API key with it, or by ticking it when you sign in again.';
    return new HubError('forbidden_scope', {
      detail: `${what} needs an API key with the scope "${scope}". ${grantor}`,
      extra: { scope },
    });
  }

  /** 403: the plan of the workspace is below `plan`. */
  static planRequired(plan: string): HubError {
    return new HubError('plan_required', { detail: `This needs the plan "${plan}".`, extra: { plan } });
  }

  /** 403: the quota is used up. @param limit what the plan allows @param used what is used already */
  static quotaExceeded(quota: string, limit: number, used: number): HubError {
    return new HubError('quota_exceeded', {
      detail: `The plan of this workspace allows ${limit} ${quota.replaceAll('_', ' ')}, and ${used} are used. Reads work as before.`,
      extra: { quota, limit, used },
    });
  }

  /** 400 with one entry per problem. */
  static invalidRequest(details: readonly FieldProblem[]): HubError {
    return new HubError('invalid_request', { details, detail: details[0]?.message });
  }

  /** 400 with one problem. */
  static invalidField(field: string, message: string): HubError {
    return HubError.invalidRequest([{ field, message }]);
  }

  /** 400: the focus of a write is not a precise identifier, or a focus is invalid. */
  static invalidFocus(detail?: string): HubError {
    return new HubError('invalid_focus', { detail });
  }

  /** 400: the type of a note is not one of `valid`. */
  static invalidType(valid: readonly string[]): HubError {
    return new HubError('invalid_type', { extra: { valid_types: valid } });
  }

  /** 400: the list `field` has more than `max` items. */
  static batchTooLarge(field: string, max: number): HubError {
    return new HubError('batch_too_large', {
      detail: `${field} takes at most ${max} items in one call; split the list.`,
      extra: { max },
    });
  }

  /** 413: the list `field` has more than `max` items. */
  static tooMany(field: string, max: number): HubError {
    return new HubError('too_many', {
      detail: `${field} takes at most ${max} items in one call; split the list.`,
      extra: { max },
    });
  }

  /** 413: the body has more than `max` bytes, object members or values. */
  static bodyTooLarge(max: number, counted: 'bytes' | 'object members' | 'members in one object' | 'values'): HubError {
    const detail = `The body has more than ${max} ${counted}, the most that this path accepts; send it in several requests.`;
    return new HubError('too_large', { detail, extra: { max } });
  }

  /** 404. @param query the text that was looked up, which the error repeats. */
  static entityNotFound(query?: string): HubError {
    return new HubError('entity_not_found', query === undefined ? {} : { extra: { query } });
  }

  /** 404 for a name that no entity has, nor one like it. */
  static nameNotFound(query: string): HubError {
    const detail =
      `No person or company of this workspace is named "${query}", or anything like it. Check the spelling, or send ` +
      'an e-mail address, domain, LinkedIn URL or entity ID.';
    return new HubError('entity_not_found', { detail, extra: { query } });
  }

  /** 405: the path supports only `methods`; GET implies HEAD. */
  static methodNotAllowed(methods: readonly string[]): HubError {
    const allow = methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return new HubError('method_not_allowed', {
      detail: `This path can be called with ${allow.join(', ')}.`,
      extra: { supported: allow },
      allow,
    });
  }

  /** 400: a source belongs to a signed-in person who did not send the request. @param field the field that names it */
  static reservedSource(field: string): HubError {
    const message = `${field} must not begin with "${PERSON_SOURCE}": only the session of that person states in their name`;
    return new HubError('reserved_source', { details: [{ field, message }] });
  }

  /** 409: the version in the request is outdated; the body contains the current one. */
  static versionConflict(current: unknown): HubError {
    return new HubError('version_conflict', { extra: { current } });
  }

  /** 400: the provider or the plugin's manifest rejects the credentials. Nothing was saved. */
  static invalidCredentials(detail?: string, details?: readonly FieldProblem[]): HubError {
    return new HubError('invalid_credentials', { detail: detail ?? details?.[0]?.message, details });
  }

  /** 404 with the supported providers. */
  static unknownProvider(provider: string, supported: readonly string[]): HubError {
    return new HubError('unknown_provider', {
      detail: `There is no provider "${provider.slice(0, 60)}".`,
      extra: { supported },
    });
  }

  /**
   * 409: the plugin is installed but not running.
   * @param reason for the operator
   */
  static pluginNotReady(reason?: string): HubError {
    return new HubError('plugin_not_ready', { detail: reason });
  }

  /**
   * 409: the plugin is not installed or not running.
   * @param reason why it is not running
   */
  static pluginNotInstalled(plugin: string, reason?: string): HubError {
    const missing = `This hub does not have the plugin "${plugin}", which does this; an operator can install it.`;
    const failed = `The plugin "${plugin}", which does this, does not serve: ${reason ?? 'an operator sees why'}`;
    const detail = reason === undefined ? missing : failed;
    return new HubError('plugin_not_installed', { detail, extra: { plugin } });
  }

  /** 409: a run cannot be changed so in its status. */
  static runConflict(action: string, status: string): HubError {
    const hint = status === 'paused' ? ' Resume or cancel it.' : '';
    return new HubError('run_conflict', {
      detail: `The run is ${status}: ${action} has no effect.${hint}`,
      extra: { status },
    });
  }

  /** 503: nothing was changed and the caller may retry after `retryAfterSeconds`. */
  static unavailable(detail?: string, cause?: unknown, retryAfterSeconds = 1): HubError {
    return new HubError('unavailable', { detail, cause, retryAfterSeconds });
  }

  /** Returns the body of the response without the request ID, which the filter adds. */
  toBody(): Record<string, unknown> {
    const body: Record<string, unknown> = { error: this.code };
    if (this.detail !== undefined) body['detail'] = this.detail;
    if (this.details !== undefined) body['details'] = this.details;
    return { ...body, ...this.extra };
  }
}

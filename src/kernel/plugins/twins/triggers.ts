import type { Caller } from '#kernel/auth/caller.js';
import type { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import type { PluginForward } from './plugin-forward.js';
import { type SetTriggerDto, triggerOf } from './triggers.dto.js';

/** The plugin that sends events to addresses, and its routes. */
const LIST = { plugin: 'triggers', route: 'list' } as const;
const CREATE = { plugin: 'triggers', route: 'create' } as const;

/** The triggers of a workspace, as the plugin answers. */
export function listTriggers(forward: PluginForward, caller: Caller): Promise<Answered<unknown>> {
  return forward.send(caller, LIST);
}

/** Sets a trigger; in a dry run the plugin checks it and keeps nothing. */
export function setTrigger(
  forward: PluginForward,
  caller: Caller,
  wish: SetTriggerDto,
  key?: IdempotencyKey,
): Promise<Answered<unknown>> {
  const body = triggerOf(wish);
  if (!wish.dry_run) return forward.send(caller, { ...CREATE, body }, key);
  return forward.send(caller, { ...CREATE, body: { ...body, dry_run: true } });
}

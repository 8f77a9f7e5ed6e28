import { Logger } from '@nestjs/common';
import type { LogPort } from '#sdk/hub-context.js';
import { redactDeep, type Redactor } from '#kernel/egress/redactor.js';
import type { PluginScope } from './plugin-ports.js';

/** Creates the port that writes a plugin's log lines with its ID and without the secrets of its connection. */
export function createLogPort(scope: PluginScope, redact: Redactor): LogPort {
  const log = new Logger(`plugin ${scope.plugin}`);
  const line = (message: string, details: Readonly<Record<string, unknown>> = {}) => ({
    plugin: scope.plugin,
    workspace_id: scope.workspaceId,
    connection_id: scope.connectionId,
    msg: redact(String(message)),
    details: redactDeep(redact, details),
  });
  return {
    debug: (message, details) => log.debug(line(message, details)),
    info: (message, details) => log.log(line(message, details)),
    warn: (message, details) => log.warn(line(message, details)),
    error: (message, details) => log.error(line(message, details)),
  };
}

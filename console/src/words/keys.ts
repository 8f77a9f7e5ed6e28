/** Words about API keys that load with their page. */
export const keyWords = {
  curl: 'A request',
  agent: 'Claude Code',
  config: 'Other agents, in their list of MCP servers',
  rotate: 'Rotate',
  rotateTitle: (name: string) => `Rotate ${name}`,
  rotateText:
    'A new key with the same name, scopes and expiry takes its place. The present one works for as long as you say, so that ' +
    'programs can be given the new one without a pause.',
  grace: 'The present key works for',
  graceHours: {
    0: 'no longer',
    1: 'another hour',
    24: 'another day',
    168: 'another week',
  } as Readonly<Record<number, string>>,
  rotateSubmit: 'Create the new key',
};

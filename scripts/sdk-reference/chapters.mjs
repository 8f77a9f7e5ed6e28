// The order of the reference: which files of src/sdk make a chapter.
const SDK = '@rapport/plugin-sdk';

/** Every file of the SDK that exports something for partners is in one chapter; a test looks. */
export const chapters = [
  {
    title: 'The manifest',
    about: 'What a plugin is, as data.',
    from: SDK,
    files: ['manifest.ts', 'manifest.parts.ts', 'manifest.inbound.ts', 'manifest.schema.ts', 'check-manifest.ts'],
  },
  {
    title: 'Handlers',
    about: 'What happens to a plugin, and how it takes it.',
    from: SDK,
    files: ['decorators.ts', 'deliveries.ts', 'events.ts'],
  },
  {
    title: 'Tools for agents',
    about: 'What `@McpTool`, `@McpResource` and `@McpPrompt` take, and what may be given back.',
    from: SDK,
    files: ['tool.ts', 'resource.ts', 'prompt.ts', 'schema.ts', 'context.ts', 'content.ts'],
  },
  {
    title: 'The hub',
    about: 'The ten words that every handler receives.',
    from: SDK,
    files: ['hub-context.ts', 'graph-port.ts', 'http.ts', 'json.ts'],
  },
  { title: 'The connection', about: 'How a workspace is connected and parted.', from: SDK, files: ['lifecycle.ts'] },
  { title: 'Errors', about: 'What a handler throws to say what shall happen next.', from: SDK, files: ['errors.ts'] },
  { title: 'Panels', about: 'What the console draws.', from: SDK, files: ['panels.ts'] },
  {
    title: 'Testing',
    about: 'The hub in memory, and the checks before publishing.',
    from: `${SDK}/testing`,
    files: [
      'testing/test-hub.ts',
      'testing/stage.ts',
      'testing/test-http.ts',
      'testing/provider-traffic.ts',
      'testing/expectation.ts',
      'testing/test-clock.ts',
      'testing/door.inbound.ts',
      'testing/door.routes.ts',
      'testing/test-graph.ts',
      'testing/test-entities.ts',
      'testing/test-store.ts',
      'testing/test-jobs.ts',
      'testing/test-events.ts',
      'testing/test-log.ts',
      'testing/refusals.ts',
      'testing/conformance.ts',
      'testing/subject.ts',
      'testing/container.ts',
    ],
  },
  {
    title: 'For hosts',
    about: 'What the hub itself uses; a plugin seldom needs it.',
    from: SDK,
    files: ['handlers.ts', 'compare.ts', 'signature.ts', 'metadata-keys.ts', 'version.ts'],
  },
];

// Order of the SDK reference: the files of src/sdk by chapter.
const SDK = '@rapport/plugin-sdk';

/** Every file of the SDK that exports something for partners is in one chapter; a test looks. */
export const chapters = [
  {
    title: 'The manifest',
    about: 'A plugin described as data.',
    from: SDK,
    files: [
      'manifest/manifest.ts',
      'manifest/http-manifest.ts',
      'manifest/manifest.schema.ts',
      'manifest/check-manifest.ts',
    ],
  },
  {
    title: 'Handlers',
    about: 'Decorators of handlers, and what handlers receive and return.',
    from: SDK,
    files: ['decorators.ts', 'define-plugin.ts', 'manifest/infer-manifest.ts', 'deliveries.ts', 'events.ts'],
  },
  {
    title: 'Tools for agents',
    about: 'Options of `@McpTool`, `@McpResource` and `@McpPrompt`, and what they may return.',
    from: SDK,
    files: ['tool.ts', 'resource.ts', 'prompt.ts', 'schema.ts', 'content.ts'],
  },
  {
    title: 'The hub',
    about: 'The members of the hub object that every handler receives.',
    from: SDK,
    files: [
      'hub-context.ts',
      'ports/graph-port.ts',
      'ports/entities.ts',
      'ports/people-port.ts',
      'ports/changes.ts',
      'files.ts',
      'runs.ts',
      'ports/http.ts',
      'paging.ts',
    ],
  },
  { title: 'The connection', about: 'Connecting and disconnecting a workspace.', from: SDK, files: ['lifecycle.ts'] },
  { title: 'Errors', about: 'Errors that a handler throws to control retries.', from: SDK, files: ['errors.ts'] },
  { title: 'Panels', about: 'Data of the panels that a plugin provides.', from: SDK, files: ['panels.ts'] },
  {
    title: 'Testing',
    about: 'The in-memory hub, and the conformance checks.',
    from: `${SDK}/testing`,
    files: [
      'testing/test-hub.ts',
      'testing/test-environment.ts',
      'testing/test-http.ts',
      'testing/expectation.ts',
      'testing/test-clock.ts',
      'testing/call-webhook.ts',
      'testing/call-route.ts',
      'testing/test-files.ts',
      'testing/test-graph.ts',
      'testing/test-entities.ts',
      'testing/test-store.ts',
      'testing/test-jobs.ts',
      'testing/test-runs.ts',
      'testing/test-log.ts',
      'testing/test-errors.ts',
      'testing/conformance/conformance.ts',
      'testing/plugin-under-test.ts',
      'testing/plugin-container.ts',
    ],
  },
  {
    title: 'For hosts',
    about: 'Used by the hub itself; plugins rarely need it.',
    from: SDK,
    files: ['handlers.ts', 'manifest/compare-manifest.ts', 'signature.ts', 'metadata-keys.ts', 'version.ts'],
  },
];

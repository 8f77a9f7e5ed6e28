/** The words around panels of plugins. */
export const panelWords = {
  title: 'From integrations',
  noPanels: 'No connected integration shows anything about people.',
  none: 'Nothing yet.',
  invalid: 'The plugin sent data that this page cannot draw.',
  save: 'Save',
  saved: 'Saved',
};

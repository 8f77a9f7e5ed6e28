/** The version of this command line, as in its package.json. */
export const VERSION = '1.0.0';

/** What `x-rapport-client` says of commands, and of the bridge. */
export const CLIENT_LABEL = `cli/${VERSION}`;
export const BRIDGE_LABEL = `cli-mcp/${VERSION}`;

/** The version of this command line, as in its package.json. It is released together with the hub. */
export const VERSION = '0.1.0';

/** What `x-rapport-client` says of commands, and of the bridge. */
export const CLIENT_LABEL = `cli/${VERSION}`;
export const BRIDGE_LABEL = `cli-mcp/${VERSION}`;

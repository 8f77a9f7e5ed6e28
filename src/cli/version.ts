/** Version of the command line, as in its package.json. It is released together with the hub. */
export const VERSION = '0.1.0';

/** Values of the header `x-rapport-client` for commands and for the bridge. */
export const CLIENT_LABEL = `cli/${VERSION}`;
export const BRIDGE_LABEL = `cli-mcp/${VERSION}`;

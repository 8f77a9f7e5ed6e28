import { manifestOf, toolManifest } from '../../kit.js';

export default manifestOf('tool-without-handler', { tools: { tool_without_handler_list: toolManifest } });

import { manifestOf, toolManifest } from '../../kit.js';

/** What comes and goes while clients listen. */
export default manifestOf('passing', { tools: { passing_tool: toolManifest }, prompts: { passing_prompt: {} } });

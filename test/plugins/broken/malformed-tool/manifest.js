import { manifestOf, toolManifest } from '../../kit.js';

export default manifestOf('malformed-tool', {
  tools: { malformed_tool_good: toolManifest, malformed_tool_bad: toolManifest },
});

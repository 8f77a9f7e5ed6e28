import { manifestOf, toolManifest } from '../../kit.js';

/** Its id makes the name of the one tool of the conformance suite that does not begin with `test_`. */
export default manifestOf('json', { tools: { json_schema_2020_12_tool: toolManifest } });

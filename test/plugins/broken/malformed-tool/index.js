import { mark, moduleOf, toolOptions } from '../../kit.js';

class Tools {
  good() {
    return { said: 'well' };
  }

  bad() {
    return { said: 'never' };
  }
}
mark('mcp-tool', toolOptions('malformed_tool_good'), Tools, 'good');
mark('mcp-tool', toolOptions('malformed_tool_bad', { input: { type: 'array' } }), Tools, 'bad');

export default moduleOf(Tools);

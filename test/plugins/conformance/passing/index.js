import { mark, moduleOf, toolOptions } from '../../kit.js';

class Offers {
  tool() {
    return 'used';
  }

  prompt() {
    return 'Say hello.';
  }
}
mark('mcp-tool', toolOptions('passing_tool'), Offers, 'tool');
const prompt = { name: 'passing_prompt', title: 'Passing', description: 'Passes by.', arguments: [], scopes: ['read'] };
mark('mcp-prompt', prompt, Offers, 'prompt');

export default moduleOf(Offers);

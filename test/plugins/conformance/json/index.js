import { mark, moduleOf, toolOptions } from '../../kit.js';

const address = {
  $anchor: 'addressDef',
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
};

class Tools {
  run(input) {
    return { received: input };
  }
}
const input = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};
mark('mcp-tool', toolOptions('json_schema_2020_12_tool', { input }), Tools, 'run');

export default moduleOf(Tools);

import { manifestOf, toolManifest } from '../../kit.js';

const TOOLS =
  'simple_text image_content audio_content embedded_resource multiple_content_types error_handling tool_with_progress ' +
  'tool_with_logging logging_tool trigger_tool_change trigger_prompt_change';
const PROMPTS = ['simple_prompt', 'prompt_with_arguments', 'prompt_with_embedded_resource', 'prompt_with_image'];

/** What the official conformance suite calls `test_…` and `test://…`. */
export default manifestOf('test', {
  tools: Object.fromEntries(TOOLS.split(' ').map(name => [`test_${name}`, toolManifest])),
  resources: {
    'test://static-text': {},
    'test://static-binary': {},
    'test://watched-resource': { minPlan: 'growth' },
    'test://template/{id}/data': {},
  },
  prompts: Object.fromEntries([...PROMPTS, 'failing_prompt'].map(name => [`test_${name}`, {}])),
});

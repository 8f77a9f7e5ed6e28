import { setTimeout as wait } from 'node:timers/promises';
import { mark, moduleOf, ToolContent, ToolError, toolOptions } from '../../kit.js';

/** An image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = content => ({ type: 'text', text: content });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const resource = (uri, mimeType, content) => ({ type: 'resource', resource: { uri, mimeType, text: content } });
const says = content => ({ role: 'user', content });

class Tools {
  simple_text() {
    return 'This is a simple text response for testing.';
  }

  image_content() {
    return new ToolContent(image);
  }

  audio_content() {
    return new ToolContent({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' });
  }

  embedded_resource() {
    const content = 'This is an embedded resource content.';
    return new ToolContent(resource('test://embedded-resource', 'text/plain', content));
  }

  multiple_content_types() {
    const mixed = resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}');
    return new ToolContent(text('Multiple content types test:'), image, mixed);
  }

  error_handling() {
    throw new ToolError('This tool intentionally returns an error for testing');
  }

  async tool_with_progress(_input, _hub, { progress }) {
    for (const done of [0, 50, 100]) {
      await progress(done, 100);
      await wait(5);
    }
    return 'Tool with progress executed successfully';
  }

  async tool_with_logging(_input, _hub, { log }) {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      log('info', line);
      await wait(5);
    }
    return 'Tool with logging executed successfully';
  }

  logging_tool(_input, _hub, { log }) {
    log('info', 'Reaches only clients that asked for log lines');
    return 'logged';
  }

  trigger_tool_change() {
    return changeOffers();
  }

  trigger_prompt_change() {
    return changeOffers();
  }
}

/** A plugin cannot change what is offered. An operator can, who listens for this in the process of the test. */
function changeOffers() {
  return new Promise(changed => process.emit('rapport-test:change-offers', () => changed('changed')));
}

for (const name of Object.getOwnPropertyNames(Tools.prototype).filter(name => name !== 'constructor')) {
  const longRunning = name === 'tool_with_logging';
  mark('mcp-tool', toolOptions(`test_${name}`, { longRunning }), Tools, name);
}

class Resources {
  text() {
    return 'This is the content of the static text resource.';
  }

  binary() {
    return { blob: PIXEL };
  }

  watched() {
    return 'Watched resource content.';
  }

  template({ params: { id } }) {
    return id === 'none' ? undefined : JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  }
}

function offer(method, uri, rest = {}) {
  const options = { uri, name: method, title: method, description: `Fixture ${uri}.`, scopes: ['read'], ...rest };
  mark('mcp-resource', options, Resources, method);
}
offer('text', 'test://static-text', { mimeType: 'text/plain' });
offer('binary', 'test://static-binary', { mimeType: 'image/png' });
offer('watched', 'test://watched-resource', { mimeType: 'text/plain', minPlan: 'growth' });
offer('template', 'test://template/{id}/data', { mimeType: 'application/json' });

class Prompts {
  simple_prompt() {
    return 'This is a simple prompt for testing.';
  }

  prompt_with_arguments({ arg1, arg2 }) {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  prompt_with_embedded_resource({ resourceUri }) {
    const embedded = resource(resourceUri, 'text/plain', 'Embedded resource content for testing.');
    return [says(embedded), says(text('Please process the embedded resource above.'))];
  }

  prompt_with_image() {
    return [says(image), says(text('Please analyze the image above.'))];
  }

  failing_prompt() {
    throw new Error('password authentication failed for user "rapport"');
  }
}

function prompt(method, ...blanks) {
  const needed = blanks.map(name => ({ name, description: `The argument ${name}`, required: true }));
  const name = `test_${method}`;
  const options = { name, title: name, description: `Fixture ${name}.`, arguments: needed, scopes: ['read'] };
  mark('mcp-prompt', options, Prompts, method);
}
prompt('simple_prompt');
prompt('prompt_with_arguments', 'arg1', 'arg2');
prompt('prompt_with_embedded_resource', 'resourceUri');
prompt('prompt_with_image');
prompt('failing_prompt');

export default moduleOf(Tools, Resources, Prompts);

import { readDescription, type Message } from './message.js';

/** How a message is written. */
export type Format = 'standard' | 'slack';

/** All of them. */
export const FORMATS = ['standard', 'slack'] as const;

/** The body of a message. */
export function formatBody(format: Format, message: Message): string {
  return JSON.stringify(format === 'slack' ? toSlackMessage(message) : message);
}

const EVENT_LABELS: Readonly<Record<string, string>> = {
  'reply.received': 'Reply received',
  'connection.accepted': 'Connection accepted',
  'meeting.scheduled': 'Meeting scheduled',
  'meeting.cancelled': 'Meeting cancelled',
};

/** What an incoming webhook of Slack takes: a line of text. Links and mentions in what people wrote do nothing. */
export function toSlackMessage({ type, data: { entity, observation } }: Message): { readonly text: string } {
  const who = entity.name ?? entity.email ?? 'Somebody';
  const role = [entity.title, entity.company].filter(part => part !== null).join(', ');
  const words = readDescription(observation.value);
  const line = `${escapeMarkup(who)}${role ? ` (${escapeMarkup(role)})` : ''}${words ? `: ${escapeMarkup(words)}` : ''}`;
  return { text: `*${EVENT_LABELS[type] ?? escapeMarkup(type)}* · ${line}` };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

import { ApiProperty } from '@nestjs/swagger';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import type { PanelManifest } from '#sdk/panels.js';
import { type SyncPagePart, syncPageParts } from '#sdk/manifest/sync-page/sync-page.js';
import { listSyncPageParts } from '#sdk/manifest/sync-page/sync-page-rules.js';

/** A panel of a plugin: data that a page of the console draws. */
export class IntegrationPanel {
  @ApiProperty({
    description: 'Page that shows it: that of the integration, or that of a person, whose ID is sent as `focus`.',
    enum: ['integration', 'contact'],
    example: 'contact',
  })
  slot: PanelManifest['slot'];

  @ApiProperty({ description: 'Kind of its data.', enum: ['form', 'badge', 'table'], example: 'table' })
  kind: PanelManifest['kind'];

  @ApiProperty({ description: 'Heading of the panel.', maxLength: 60, example: 'Bookings' })
  title: string;

  @ApiProperty({
    description: 'Path of its data, to be read with GET; a form is sent there with POST.',
    maxLength: 300,
    example: '/v2/plugins/calcom/bookings',
  })
  path: string;
}

/** Presents the panels of a plugin, whose data its routes return. */
export function toPanels({ id, panels = [], routes = {} }: PluginManifest): IntegrationPanel[] {
  return panels.map(({ slot, kind, title, source }) => ({
    slot,
    kind,
    title,
    path: `/v2/plugins/${id}/${routes[source]!.path}`,
  }));
}

/** The page of a plugin that syncs a CRM with the graph. */
export class IntegrationSyncPage {
  @ApiProperty({
    description:
      'What the page shows besides the last sync and the dry run: changes that wait for an approval because they are many, ' +
      'the values that travelled, the values to decide, and the fields with what they state.',
    enum: syncPageParts,
    isArray: true,
    maxItems: syncPageParts.length,
    example: ['changes', 'reviews'],
  })
  parts: SyncPagePart[];
}

/** Presents the sync page of a plugin; null if it has none. */
export function toSyncPage(manifest: PluginManifest): IntegrationSyncPage | null {
  const parts = listSyncPageParts(manifest);
  return parts ? { parts } : null;
}

import { ConsolePage } from './console-page.js';
import type { Stage } from './stage.js';

/** Every look but the light one of the stage. */
const OTHER_LOOKS = [
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const;

/**
 * Opens the page of a stage in the other looks, and checks that it can be used by everyone and complains of nothing.
 * @param name of the pictures
 * @param prepare waits until the page is drawn, and opens what is to be seen
 */
export async function checkOtherLooks(
  stage: Stage,
  name: string,
  prepare: (view: ConsolePage) => Promise<void>,
): Promise<void> {
  const { page } = stage.view;
  const storageState = await page.context().storageState();
  for (const [colorScheme, width] of OTHER_LOOKS) {
    const options = { colorScheme, viewport: { width, height: 844 }, storageState };
    const view = await ConsolePage.open(stage.browser, stage.hub.url, options);
    await view.page.goto(page.url());
    await prepare(view);
    expect({ colorScheme, width, barriers: await view.findBarriers() }).toEqual({ colorScheme, width, barriers: [] });
    expect(view.takeComplaints()).toEqual([]);
    await view.takePicture(name);
    await view.close();
  }
}

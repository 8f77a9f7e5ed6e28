/** A body that is JSON already: sent as it is. For answers so long that writing them at once would hold up others. */
export class JsonText {
  constructor(readonly text: string) {}
}

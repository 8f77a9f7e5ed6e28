/** The cookie that binds a form to the browser that was shown it. It is random, says nothing, and opens nothing. */
export class CsrfCookie {
  private readonly name: string;
  private readonly attributes: string;

  /** @param secure whether the hub is reached by https */
  constructor(secure: boolean) {
    this.name = secure ? '__Host-rapport_approval' : 'rapport_approval';
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  /** The nonce in a `Cookie` header. */
  read(header: string | undefined): string | undefined {
    const start = `${this.name}=`;
    return header
      ?.split(';')
      .map(part => part.trim())
      .find(part => part.startsWith(start))
      ?.slice(start.length);
  }

  /** The `Set-Cookie` header that has a browser keep a nonce until it is closed. */
  write(nonce: string): string {
    return `${this.name}=${nonce}; ${this.attributes}`;
  }
}

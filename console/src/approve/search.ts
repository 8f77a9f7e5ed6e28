/** What the address of the approval page names. */
export interface ApprovalSearch {
  /** Ticket of a program that opened the browser. */
  readonly ticket?: string | undefined;
  /** Code that a program shows, for a person to type. */
  readonly user_code?: string | undefined;
}

/** Reads the address of the approval page. */
export function readApprovalSearch({ ticket, user_code }: Record<string, unknown>): ApprovalSearch {
  return {
    ...(typeof ticket === 'string' && { ticket }),
    ...(typeof user_code === 'string' && { user_code }),
  };
}

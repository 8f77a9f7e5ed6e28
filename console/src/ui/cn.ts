import { clsx } from 'clsx';

/** Joins class names; falsy ones are left out. */
export const cn = clsx;

import { EngineError, type Json, type Value } from '@harvestman/ports'

/**
 * The layout of a kept record. Its number goes up when a version that knows only the one before could misread what is
 * written now. Records of older layouts are read; a newer one is refused, so that no version destroys what it does not
 * understand.
 */
export interface Layout<T extends object> {
  /** What is kept of a record. */
  seal(record: T): Json
  /** The record that was kept; nothing when there is none. `what` names it in the refusal. */
  open(what: string, kept: Value | undefined): T | undefined
}

const field = 'layout'

/** Seals records with the number of their layout, and opens those of earlier ones; newer ones are refused. */
export function layout<T extends object>(newest: number): Layout<T> {
  return {
    seal: (record) => ({ ...record, [field]: newest }),
    open: (what, kept) => {
      if (kept === undefined) return undefined
      const { [field]: found = 1, ...record } = kept as { readonly [field]?: number }
      if (found > newest) throw newerRecord(what, found, newest)
      return record as T
    },
  }
}

/** Whether a record was refused because a newer version has written it. */
export function isNewerRecord(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'newer_version'
}

export function newerRecord(what: string, found: number, newest: number): EngineError {
  return new EngineError(
    'newer_version',
    `${what} was written by a newer version (layout ${found}, and this one reads up to ${newest}). ` +
      'Use that version on this store, or another store.',
    { details: { found, newest } },
  )
}

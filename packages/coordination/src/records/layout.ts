import { EngineError, isRecord, type Json, type Value } from '@harvestman/ports'

/**
 * The layout of a kept record. Its number goes up when a version that knows only the one before could misread what is
 * written now. Records of older layouts are read; a newer one is refused, so that no version destroys what it does not
 * understand.
 */
export interface Layout<T extends object> {
  /** Makes the value that is kept of a record. */
  seal(record: T): Json
  /** The record that was kept; nothing when there is none. `what` names it in the refusal. */
  open(what: string, kept: Value | undefined): T | undefined
  /** The same for what can be made anew: one that was damaged counts as none. */
  openWhole(what: string, kept: Value | undefined): T | undefined
}

/** Fields that a record has in every layout, with their kinds: what its readers go by without looking. */
export type Shape<T> = { readonly [Field in keyof T]?: Kind }

const field = 'layout'

/**
 * Seals records with the number of their layout, and opens those of earlier ones; newer ones are refused. A store that was
 * damaged may give anything, so a record that has not its shape is refused as well.
 */
export function layout<T extends object>(newest: number, shape: Shape<T>): Layout<T> {
  const kinds = Object.entries<Kind | undefined>(shape)
  const read = (what: string, kept: Value): T | undefined => {
    if (!isRecord(kept)) return undefined
    const { [field]: found = 1, ...record } = kept
    if (typeof found === 'number' && found > newest) throw newerRecord(what, found, newest)
    return hasShape(record, kinds) ? (record as T) : undefined
  }
  const openWhole: Layout<T>['openWhole'] = (what, kept) => (kept === undefined ? undefined : read(what, kept))
  return {
    seal: (record) => ({ ...record, [field]: newest }),
    openWhole,
    open: (what, kept) => {
      const record = openWhole(what, kept)
      if (kept !== undefined && !record) throw damagedRecord(what)
      return record
    },
  }
}

/** Returns whether a record was refused because a newer version has written it. */
export function isNewerRecord(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'newer_version'
}

/** Says of an error whether what the store has is broken: it will be so at the next try as well. */
export function isDamagedRecord(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'store_failed' && error.details?.['reason'] === 'damaged'
}

/** Says that a record is there and not what was written. */
export function damagedRecord(what: string, cause?: unknown): EngineError {
  const message = `The store is damaged: ${what} is not as it was written. Bring back a copy of the store, or delete the record.`
  return new EngineError('store_failed', message, { cause, details: { reason: 'damaged' } })
}

type Kind = 'text' | 'number' | 'list' | 'record'

const isOf: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  list: (value) => Array.isArray(value),
  record: isRecord,
}

function hasShape(record: Readonly<Record<string, unknown>>, kinds: readonly [string, Kind | undefined][]): boolean {
  return kinds.every(([name, kind]) => !kind || isOf[kind](record[name]))
}

export function newerRecord(what: string, found: number, newest: number): EngineError {
  return new EngineError(
    'newer_version',
    `${what} was written by a newer version (layout ${found}, and this one reads up to ${newest}). ` +
      'Use that version on this store, or another store.',
    { details: { found, newest } },
  )
}

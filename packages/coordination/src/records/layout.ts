import { EngineError, isRecord, type Json, type Value } from '@harvestman/ports'

/**
 * The schema version ("layout") of a stored record. Its number increases when a version that knows only the previous one could
 * misread new records. Older layouts are readable; a newer one is rejected, so that no version destroys data that it does not
 * understand.
 */
export interface Layout<T extends object> {
  /** Returns the value to store for a record. */
  seal(record: T): Json
  /**
   * Returns the stored record, or `undefined` if there is none. Throws if it is damaged or newer; `what` names it in the
   * message.
   */
  open(what: string, kept: Value | undefined): T | undefined
  /** Like `open`, for records that can be rebuilt: a damaged one counts as missing. */
  openWhole(what: string, kept: Value | undefined): T | undefined
}

/** Required fields of a record, which all layouts have, with their types. Readers rely on them without further checks. */
export type Shape<T> = { readonly [Field in keyof T]?: Kind }

const field = 'layout'

/**
 * Creates functions that store records with the number of their layout, and read this and earlier layouts. Rejects
 * newer layouts, and records without the required fields, because a damaged store may return anything. `openWhole`
 * returns `undefined` for a damaged record, `open` throws; both throw `newer_version` for a newer layout.
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

/** Returns whether an error means that a newer version has written the record. */
export function isNewerRecord(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'newer_version'
}

/** Returns whether an error means that the stored data is damaged, so that a retry is pointless. */
export function isDamagedRecord(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'store_failed' && error.details?.['reason'] === 'damaged'
}

/** Returns the `store_failed` error (a damaged-record error) for a record that exists but is damaged. */
export function damagedRecord(what: string, cause?: unknown): EngineError {
  const message = `The store is damaged: ${what} has changed since it was written. Restore a backup of the store, or delete the record.`
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

/** Returns the `newer_version` error for a record whose layout is newer than this version can read. */
export function newerRecord(what: string, found: number, newest: number): EngineError {
  return new EngineError(
    'newer_version',
    `${what} was written by a newer version (layout ${found}, and this one reads up to ${newest}). ` +
      'Use that version on this store, or another store.',
    { details: { found, newest } },
  )
}

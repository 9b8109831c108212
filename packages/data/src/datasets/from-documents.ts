// Converts documents to rows. A field of a document is one row or a list of rows.
import { isRecord } from '@harvestman/ports'

import type { FromDocument } from './requests.ts'
import type { PlainRow } from './rows/check-rows.ts'
import type { Values } from './rows/row.ts'

/** The part of a document that rows are read from. */
export interface DocumentOfRows {
  readonly metadata?: { readonly sourceURL?: unknown; readonly url?: unknown } | undefined
  readonly [field: string]: unknown
}

/** Field names under which a record may carry evidence. */
const evidenceFields = ['evidence', '_evidence']

/**
 * Returns the rows in a field of a document, or at a path in it: the objects of a list, or one object. Without a path, an
 * object is replaced by its list `rows`, or by its only property if that is a list of objects. Empty if there are none;
 * columns that begin with `_` are dropped.
 */
export function rowsOfDocument(document: DocumentOfRows, { from, path }: FromDocument): readonly PlainRow[] {
  const { sourceURL, url } = document.metadata ?? {}
  const source = [sourceURL, url].find((address) => typeof address === 'string')
  const field = document[from]
  const value = path === undefined ? field : at(field, path)
  return listIn(value, path === undefined).flatMap((one) => {
    if (!isPlain(one)) return []
    const { values, evidence } = apart(one)
    return [{ values, evidence, source: source?.slice(0, 2_000) }]
  })
}

function listIn(value: unknown, mayLook: boolean): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isPlain(value)) return []
  const { rows } = value
  if (mayLook && Array.isArray(rows)) return rows
  const parts = Object.values(value)
  const [only] = parts
  return mayLook && parts.length === 1 && Array.isArray(only) && only.every(isPlain) ? only : [value]
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return /^\d+$/.test(name) ? part[Number(name)] : undefined
    return isPlain(part) ? part[name] : undefined
  }, value)
}

/** Separates the values of a row from their evidence. */
function apart(record: Values): { values: Values; evidence: Values } {
  const name = evidenceFields.find((field) => isPlain(record[field]))
  const found = name === undefined ? {} : record[name]
  const values = Object.fromEntries(
    Object.entries(record).filter(([column]) => !column.startsWith('_') && column !== name),
  )
  return { values, evidence: isPlain(found) ? found : {} }
}

function isPlain(value: unknown): value is Values {
  return isRecord(value)
}

// Validates new rows: size, depth, key and the schema of the dataset.
import { EngineError, type Json } from '@harvestman/ports'
import { findMisfits, isSchemaFault, readJsonSchema } from '@harvestman/json-schema'

import type { DatasetRecord } from '../records.ts'
import { bounds } from '../requests.ts'
import { rowIdOf, type GivenRow, type Values } from './row.ts'

/** A row before validation. */
export interface PlainRow {
  readonly values: Values
  readonly source?: string | undefined
  readonly evidence?: Values | undefined
}

const deepest = 40

/**
 * Returns the rows with their ids. Throws `invalid_request` for the first row that does not fit the schema, has no value for
 * the key, or has more than 65,536 characters as JSON or 40 levels.
 */
export function checkRows(rows: readonly PlainRow[], { key, schema }: DatasetRecord): readonly GivenRow[] {
  const read = schema && readJsonSchema(schema)
  return rows.map(({ values, source = null, evidence = {} }, index) => {
    const refuse = (problem: string): never => {
      throw new EngineError('invalid_request', `rows[${index}].values${problem}`, { details: { row: index } })
    }
    if (isTooDeep({ values, evidence })) refuse(` has parts more than ${deepest} levels deep. Flatten it.`)
    const size = JSON.stringify({ values, evidence }).length
    if (size > bounds.rowSize) refuse(` has ${size} characters. The maximum for a row is ${bounds.rowSize}.`)
    const missing = key.find((column) => values[column] === undefined || values[column] === null)
    if (missing !== undefined) refuse(`.${missing} is missing, and it is part of the key. Give it a value.`)
    const [misfit] = read && !isSchemaFault(read) ? findMisfits(values, read) : []
    if (misfit) refuse(`${misfit.path === '' ? '' : `.${misfit.path}`} ${misfit.problem}.`)
    return { id: rowIdOf(values, key), values, source, evidence }
  })
}

function isTooDeep(value: Json | undefined, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > deepest) return true
  return Object.values(value).some((part) => isTooDeep(part, depth + 1))
}

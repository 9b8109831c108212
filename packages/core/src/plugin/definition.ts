// Checks of plugin definitions at run time, for authors who do not use TypeScript.
import { EngineError } from '@harvestman/ports'
import { nearestOf } from '@harvestman/toolbox/choices'
import { z } from 'zod'

import { formatValue } from '../lib/format-value.ts'

/** The type of a property in a definition. */
type Kind = 'text' | 'number' | 'flag' | 'function' | 'object' | 'parts' | 'list' | 'schema' | 'objectSchema' | 'any'

/** A property of a definition. */
export interface Property {
  readonly is: Kind
  readonly isRequired?: boolean
  /** What to pass instead, for error messages. */
  readonly give?: string
}

/** The properties of a definition, by name. */
export type Shape = Readonly<Record<string, Property>>

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const kinds: Readonly<Record<Kind, { readonly says: string; readonly fits: (value: unknown) => boolean }>> = {
  text: { says: 'a text', fits: (value) => typeof value === 'string' && value !== '' },
  number: { says: 'a number', fits: (value) => typeof value === 'number' && !Number.isNaN(value) },
  flag: { says: 'true or false', fits: (value) => typeof value === 'boolean' },
  function: { says: 'a function', fits: (value) => typeof value === 'function' },
  object: { says: 'an object', fits: isObject },
  parts: {
    says: 'an object of definitions, not of their names',
    fits: (value) => isObject(value) && Object.values(value as object).every(isObject),
  },
  list: { says: 'a list', fits: (value) => Array.isArray(value) },
  schema: { says: 'a zod schema', fits: (value) => value instanceof z.ZodType },
  objectSchema: { says: 'a zod object', fits: (value) => value instanceof z.ZodObject },
  any: { says: 'anything', fits: () => true },
}

/**
 * Throws `invalid_request` if a definition has an unknown, missing or invalid property. The message names the definition and
 * the remedy.
 */
export function checkDefinition(maker: string, nameKey: string, input: unknown, shape: Shape): void {
  if (!kinds.object.fits(input)) throw wrong(maker, '', `takes an object, but was given ${formatValue(input)}.`)
  const definition = input as Readonly<Record<string, unknown>>
  const name = definition[nameKey]
  const where = typeof name === 'string' ? ` ${JSON.stringify(name)}` : ''
  for (const [key, { is, isRequired = false, give }] of Object.entries(shape)) {
    const value = definition[key]
    const wanted = give ?? kinds[is].says
    if (value === undefined) {
      if (isRequired) throw wrong(maker, where, `has no ${key}. Give ${wanted}.`)
    } else if (!kinds[is].fits(value))
      throw wrong(maker, where, `has a wrong ${key}: ${formatValue(value)}. Give ${wanted}.`)
  }
  for (const key of Object.keys(definition)) {
    if (Object.hasOwn(shape, key)) continue
    const near = nearestOf(key, Object.keys(shape))
    const remedy = near === undefined ? `It may have ${Object.keys(shape).join(', ')}.` : `Did you mean ${near}?`
    throw wrong(maker, where, `has the unknown property ${key}. ${remedy}`)
  }
}

function wrong(maker: string, where: string, what: string): EngineError {
  return new EngineError('invalid_request', `${maker}:${where} ${what}`)
}

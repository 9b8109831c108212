// Checks that the parameters of a script match the placeholders in its steps.
import { EngineError } from '@harvestman/ports'

import type { Script } from './schema.ts'
import { namesIn } from './template.ts'

/**
 * Throws `invalid_request` for unused parameters, because a run would ignore their values and still succeed, and for unknown
 * placeholders, because they would be typed literally.
 */
export function checkParameters({ parameters, start, steps }: Script): void {
  const lists = steps.flatMap(({ each }) => each ?? [])
  const used = new Set([...lists, ...textsIn([start, steps]).flatMap(namesIn)])
  const unused = Object.keys(parameters).find((name) => !used.has(name))
  if (unused !== undefined)
    throw new EngineError(
      'invalid_request',
      `No step uses the parameter "${unused}", so its value would be ignored. In a recording, give the value exactly as it was typed or chosen; in a script, write {{${unused}}} where it belongs; or remove the parameter.`,
    )
  // Names and outcomes are not checked, because page content may contain braces.
  const typed = textsIn([start, steps.map(({ value }) => value)]).flatMap(namesIn)
  const unknown = [...lists, ...typed].find((name) => !Object.hasOwn(parameters, name))
  if (unknown !== undefined)
    throw new EngineError(
      'invalid_request',
      `A step has the placeholder {{${unknown}}}, and the script has no parameter of this name. Add it to "parameters", or remove the braces.`,
    )
}

/** Returns all strings within a value, at any depth. Names of properties are not included. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

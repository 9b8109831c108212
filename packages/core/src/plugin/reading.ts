// Readings of plugins: modules that receive the parsed page in the reader thread.
import { EngineError, type Json } from '@harvestman/ports'

import { formatValue } from '../lib/format-value.ts'
import { checkDefinition } from './definition.ts'
import type { PageReading, ReadingRequest } from './field.ts'
import { readingShape } from './shapes.ts'

/** Definition of a reading. */
export interface ReadingInput {
  /** Name for messages. */
  readonly name: string
  /** URL of the file, such as `new URL('./spec-table.js', import.meta.url)`. */
  readonly module: URL | string
  /** Name of the exported function. Default: `read`. */
  readonly function?: string
  /** Returns the options of the function for a request, when the reading is listed in `needs`. */
  options?(request: ReadingRequest): Json
  /**
   * Imports the same module with `import()`, so that small pages are read on the calling thread. Set it only if the function
   * takes time proportional to the size of the page.
   */
  inPlace?(): Promise<object>
}

/**
 * Defines a reading: a module whose function receives the parsed page and returns a JSON value. Throws `invalid_request` for an
 * invalid property or if `module` is not the URL of a file. The module is not loaded yet.
 */
export function defineReading<Value = unknown>(input: ReadingInput): PageReading<Value> {
  checkDefinition('defineReading', 'name', input, readingShape)
  const { name, module, function: called = 'read', inPlace, options = () => null } = input
  const href = fileUrlOf(name, module)
  return Object.freeze({
    // Includes the URL, because readings of two plugins may have the same name.
    name: `reading ${name} of ${href}#${called}`,
    needs: {},
    derive: () => {
      throw new Error('A reading is read with the page, never derived.')
    },
    read: options,
    module: Object.freeze({ reading: name, href, function: called, inPlace }),
  })
}

function fileUrlOf(name: string, module: unknown): string {
  const url = module instanceof URL ? module : URL.parse(String(module))
  if (url?.protocol === 'file:') return url.href
  throw new EngineError(
    'invalid_request',
    `defineReading: ${JSON.stringify(name)} has a wrong module: ${formatValue(module)}. Give the URL of a file, such as new URL('./${name}.js', import.meta.url).`,
  )
}

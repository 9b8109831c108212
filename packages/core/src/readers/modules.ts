// Modules of plugins that read pages. A reader thread loads each once; the calling thread loads only those with `inPlace`.
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { HtmlPage } from '@harvestman/html/internal'
import { EngineError } from '@harvestman/ports'
import type { ReadingFailure } from '../scrape/reader.ts'
import type { Reading } from '../scrape/readings.ts'
import { jsonProblem } from './json-problem.ts'

type Module = NonNullable<Reading['module']>
type ReadTree = (page: HtmlPage, options: unknown) => unknown

/** Error of a module. The message is for the user; the cause of the failure is only for the plugin's author. */
class ModuleFault extends Error {
  readonly failure: ReadingFailure

  constructor(failure: ReadingFailure) {
    super(failure.message)
    this.failure = failure
  }
}

const loaded = new Map<string, ReadTree>()
const failed = new Map<string, ReadingFailure>()
const keyOf = ({ href, function: called }: Module): string => `${href}#${called}`

/** Returns the name of a reading and its module, for messages. */
export function labelOf({ reading, plugin, href }: Module): string {
  return `the reading ${reading} of the plugin ${plugin} (${basename(new URL(href).pathname)})`
}

/**
 * Loads the modules of these readings that are not loaded yet in this thread. A failure is stored and thrown by `runModule`.
 */
export async function loadModules(
  wanted: readonly Reading[],
  tell: (label: string) => void = () => undefined,
): Promise<void> {
  for (const { module } of wanted) {
    if (!module || loaded.has(keyOf(module))) continue
    tell(labelOf(module))
    const result = await load(module)
    if (typeof result === 'function') loaded.set(keyOf(module), result)
    else failed.set(keyOf(module), result)
  }
}

async function load(module: Module): Promise<ReadTree | ReadingFailure> {
  const { href, function: called, inPlace } = module
  if (!inPlace && !existsSync(fileURLToPath(href))) {
    return failureOf(
      module,
      'The file does not exist. Give defineReading the URL of a file that is installed with the plugin, and keep the package of the plugin external when you bundle.',
      `${fileURLToPath(href)} does not exist.`,
    )
  }
  let exported: Readonly<Record<string, unknown>>
  try {
    exported = { ...(await (inPlace ? inPlace() : import(href))) }
  } catch (error) {
    return failureOf(module, 'The module cannot be loaded. Fix it as the cause of this error says.', stackOf(error))
  }
  const read = exported[called]
  if (isReadTree(read)) return read
  const names = Object.entries(exported).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
  const has = names.length === 0 ? 'It exports no functions.' : `It exports the functions ${names.join(', ')}.`
  const remedy = 'Export the function, or name another one as function of defineReading.'
  return failureOf(module, `The module exports no function named ${called}. ${has} ${remedy}`)
}

function isReadTree(value: unknown): value is ReadTree {
  return typeof value === 'function'
}

/**
 * Runs the function of a module on the page. Throws `ModuleFault` (see `failureIn`) if the module could not be loaded, or if
 * the function throws or returns something other than JSON or more than `maxValues` values.
 */
export function runModule(module: Module, page: HtmlPage, options: unknown, maxValues: number): unknown {
  const read = loaded.get(keyOf(module))
  if (!read) throw new ModuleFault(failed.get(keyOf(module)) ?? failureOf(module, 'The module is not loaded.'))
  const called = module.function
  let value: unknown
  try {
    value = read(page, options)
  } catch (error) {
    const remedy = 'Fix the function, or the options that it receives; the cause of this error has what was thrown.'
    throw new ModuleFault(failureOf(module, `The function ${called} threw an error. ${remedy}`, stackOf(error)))
  }
  const problem = jsonProblem(value, maxValues)
  if (problem !== undefined) throw new ModuleFault(failureOf(module, `The function ${called} returned ${problem}`))
  return value
}

/** Returns the failure of a module whose value exceeds the document limit. Rethrows errors of other kinds. */
export function sizeFailureOf(module: Module, error: unknown): ReadingFailure {
  if (!EngineError.is(error)) throw error
  const { code, message, details } = error
  const failure = failureOf(module, `The function ${module.function} returned too much. ${message}`)
  return { ...failure, code, details: { ...details, ...failure.details } }
}

/** Returns the failure in a `ModuleFault`. Rethrows other errors. */
export function failureIn(error: unknown): ReadingFailure {
  if (error instanceof ModuleFault) return error.failure
  throw error
}

function failureOf(module: Module, sentence: string, cause?: string): ReadingFailure {
  const { reading, plugin } = module
  const label = labelOf(module)
  const message = `${label.charAt(0).toUpperCase()}${label.slice(1)} failed. ${sentence}`
  return { code: 'format_failed', message, details: { reading, plugin }, cause }
}

const maxCause = 4_000

/** Returns the stack of an error, or any other thrown value as a string, truncated. */
function stackOf(error: unknown): string {
  try {
    return String(error instanceof Error ? (error.stack ?? error.message) : error).slice(0, maxCause)
  } catch {
    return 'A value was thrown that cannot be printed.'
  }
}

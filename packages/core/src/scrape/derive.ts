import { EngineError, publicMessage, type Usage } from '@harvestman/ports'
import { isEncodedJson } from '@harvestman/ports/values'
import type { DeriveContext, Field, Format, ReadMore } from '../plugin/field.ts'
import type { DocumentTally } from '@harvestman/threads'
import type { ScrapeContext } from './context.ts'
import { documentLimit, type Kit } from './kit.ts'

import { failedPartMessage } from './failed-part.ts'
import type { LocatedBlocks } from './file-places.ts'
import type { Derived, Fields, FurtherPages, ParsedPage } from './made.ts'
import { errorOfReading } from './reader.ts'
import { readingOf } from './readings.ts'
import type { SeenVisit } from './visit.ts'
import { noUsage, sumUsage } from './usage.ts'
import type { Claim } from '../schema/citation.ts'
import type { OmittedPart } from '../schema/omitted.ts'

export interface DeriveTools {
  readonly warn: (text: string) => void
  readonly cite: (claims: readonly Claim[], field: Field) => void
  readonly omit: (parts: readonly OmittedPart[], field: Field) => void
  readonly further: FurtherPages
  /** The blocks of a file with pages, if they are known. */
  readonly file?: LocatedBlocks | undefined
}

/**
 * Computes each requested format once: its dependencies first, independent ones in parallel. If a format fails, this rejects,
 * or warns if the format has `onFailure: 'warn'`.
 */
export async function derive(
  context: ScrapeContext,
  { page, revisited }: SeenVisit,
  content: Pick<ParsedPage, 'values' | 'sizes' | 'failures' | 'hidden'>,
  { warn, cite, omit, further, file }: DeriveTools,
): Promise<Derived> {
  const [{ plan, kit }, { url, status, headers }] = [context, page]
  const { values: known, sizes, failures } = content
  const started = new Map<string, Promise<unknown>>()
  const usage = new Map<string, Usage>()
  const needed = new Map<string, Fields>()
  const options = new Map(plan.formats.map(({ format, options }) => [format.name, options]))
  const valueOf = (field: Field, signal: AbortSignal): unknown => {
    if (field.name in known) return known[field.name]
    const failure = failures[field.name]
    if (failure) throw errorOfReading(failure)
    const running = started.get(field.name) ?? work(kit.registry.bind(field), signal)
    started.set(field.name, running)
    return running
  }
  const work = async (field: Field, signal: AbortSignal): Promise<unknown> => {
    const { name } = field
    const needs = Object.entries(field.needs).map(
      async ([key, need]) => [key, await valueOf(need, context.time.signal)] as const,
    )
    const values = Object.fromEntries(await Promise.all(needs))
    needed.set(name, values)
    return field.derive(values, contextOf(field, signal))
  }
  const contextOf = (field: Field, signal: AbortSignal): DeriveContext => {
    const { name } = field
    const plugin = kit.registry.ownerOf(field)
    return {
      options: options.get(name) ?? {},
      request: plan.request,
      page: { url, status, headers, isUnlinked: context.caller.isUnlinked === true, revisited },
      captured: page.captured[name],
      ports: portsFor(field, kit.ports),
      ...{ team: context.caller.team, task: context.caller.task, job: context.caller.group },
      store: kit.pluginStores.of(plugin, context.caller.team, plan.mayKeep),
      ...{ clock: kit.clock, signal, warn, timeLeft: context.time.timeLeft },
      read: readerFor(context, signal, plugin, content),
      formatValue: (type) =>
        valueOfFormat(plan.formats.find(({ format }) => format.type === type)?.format, valueOf, signal),
      load: further.loaderFor((field as Partial<Format>).loads?.(options.get(name) ?? {}) ?? 0, signal, plugin),
      cite: (claims) => cite(claims, field),
      omit: (parts) => omit(parts, field),
      blocksInFile: async (markdown) => (await file?.placed(markdown)) ?? [],
      explain: (facts) => context.steps?.tellOf(name, facts),
      use: (more) => void usage.set(name, sumUsage(usage.get(name) ?? noUsage, more)),
    }
  }
  const { shortened, whole } = shortening(countedBy(valueOf, sizes, context.tally), contextOf, options)
  const formats = [...plan.formats.map(({ format }) => format), kit.registry.format('metadata') as Format]
  const values = await Promise.all(
    formats.map(async (format) => [format.name, await deriveFormat(format, shortened, context, warn)] as const),
  )
  const ofKeepers = await keeperValues(context, valueOf)
  return { fields: Object.fromEntries(values), whole, usage, needs: needed, ofKeepers }
}

/**
 * Returns a function with which a part of a plugin reads more values of a page. It rejects if the reading fails. `content` is
 * the page that was read: another reading of its raw HTML knows as well what the browser does not show.
 */
export function readerFor(
  { caller: { team }, kit, plan }: ScrapeContext,
  signal: AbortSignal,
  plugin: string,
  content?: Pick<ParsedPage, 'values' | 'hidden'>,
): ReadMore {
  return async ({ url, html }, reading, options) => {
    const one = readingOf(reading, options, plugin)
    const hidden = html === content?.values['page.rawHtml'] ? content.hidden : undefined
    const given = { source: { html }, hidden, url, team, scope: plan.request }
    const task = { ...given, wanted: [one], version: undefined, most: documentLimit(kit) }
    const { values, failures } = await kit.reader.read(task, signal)
    const failure = failures?.[one.field]
    if (failure) throw errorOfReading(failure)
    return values[one.field]
  }
}

/** Returns a function that computes the value of a format for the document, and counts it. */
function countedBy(valueOf: ValueOf, sizes: ParsedPage['sizes'], tally: DocumentTally): ValueOf {
  return async (field, signal) => {
    const value = await valueOf(field, signal)
    const size = sizes[(field as Format).is?.name ?? field.name]
    // Values read from the page were already counted in the reading thread.
    if (size) tally.spend(size.bytes, size.values)
    else countValue(value, tally)
    return value
  }
}

/** Returns a function that shortens the value of a format by its options, and the whole values of the shortened formats. */
function shortening(
  valueOf: ValueOf,
  contextOf: (field: Field, signal: AbortSignal) => DeriveContext,
  options: ReadonlyMap<string, unknown>,
): { readonly shortened: ValueOf; readonly whole: ReadonlyMap<string, unknown> } {
  const whole = new Map<string, unknown>()
  const shortened: ValueOf = async (format, signal) => {
    const value = await valueOf(format, signal)
    const shorten = (format as Format).shorten?.(options.get(format.name) ?? {})
    if (!shorten) return value
    whole.set(format.name, value)
    return shorten(value, contextOf(format, signal))
  }
  return { shortened, whole }
}

/** Resolves to the value of another requested format, or `undefined` if it was not requested. */
async function valueOfFormat(format: Format | undefined, valueOf: ValueOf, signal: AbortSignal): Promise<unknown> {
  const value = await (format && valueOrWarned(format, valueOf, signal))
  return isEncodedJson(value) ? value.toJSON() : value
}

/** Resolves to `undefined` if a format fails whose failure is only a warning. The format itself adds the warning. */
async function valueOrWarned(format: Format, valueOf: ValueOf, signal: AbortSignal): Promise<unknown> {
  try {
    return await valueOf(format, signal)
  } catch (error) {
    if (signal.aborted || format.onFailure !== 'warn') throw error
    return undefined
  }
}

/** Computes the values of the keepers, by name. */
async function keeperValues({ plan, time }: ScrapeContext, valueOf: ValueOf): Promise<ReadonlyMap<string, unknown>> {
  const values = plan.keepers.map(
    async (keeper) => [keeper.name, await valueOrNothing(valueOf(keeper, time.signal))] as const,
  )
  return new Map(await Promise.all(values))
}

/** Resolves to `undefined` if a value for a keeper fails, so that the document is not lost. */
async function valueOrNothing(value: unknown): Promise<unknown> {
  try {
    return await value
  } catch {
    return undefined
  }
}

/**
 * Adds a value to the size of the document. Throws `page_too_complex` if the size then exceeds the limits of `tally`. Files
 * are not counted: the document has only their URLs.
 */
export function countValue(value: unknown, tally: DocumentTally): void {
  if (!(value instanceof Uint8Array)) tally.add(value)
}

type ValueOf = (field: Field, signal: AbortSignal) => unknown

/** Computes a format. If it fails, `onFailure` decides whether the scrape fails. */
async function deriveFormat(
  format: Format,
  valueOf: ValueOf,
  { time, deriving, kit }: ScrapeContext,
  warn: (text: string) => void,
): Promise<unknown> {
  const { name, onFailure } = format
  deriving.add(name)
  try {
    return await (onFailure === 'warn' ? inTime(format, valueOf, time) : valueOf(format, time.signal))
  } catch (error) {
    if (time.signal.aborted) throw time.signal.reason
    if (onFailure === 'warn') {
      warn(`The format ${name} was left out: ${publicMessage(error, failedPartMessage(format, kit))}`)
      return undefined
    }
    throw failedFormat(format, error, kit)
  } finally {
    deriving.delete(name)
  }
}

/** Wraps any error so that it names the format and, for a bug, its plugin. */
function failedFormat(part: Format, cause: unknown, kit: Kit): EngineError {
  const { name: format } = part
  if (!EngineError.is(cause)) {
    const message = `The format ${format} could not be made from this page. ${failedPartMessage(part, kit)}`
    return new EngineError('format_failed', message, { cause, details: { format } })
  }
  const { code, message, details } = cause
  return new EngineError(code, `The format ${format} failed. ${message}`, { cause, details: { format, ...details } })
}

/** Part of the remaining time that is reserved for the rest of the document, up to `most` milliseconds. */
const reserve = { part: 0.1, most: 1_000 }

/** Aborts a format shortly before the timeout of the whole scrape. */
async function inTime(format: Format, valueOf: ValueOf, time: ScrapeContext['time']): Promise<unknown> {
  const left = time.timeLeft()
  const own = new AbortController()
  const late = new EngineError('timeout', 'It did not end in time.')
  const timer = setTimeout(() => own.abort(late), left - Math.min(left * reserve.part, reserve.most))
  const over = new Promise<never>((_, reject) =>
    own.signal.addEventListener('abort', () => reject(late), { once: true }),
  )
  try {
    return await Promise.race([valueOf(format, AbortSignal.any([time.signal, own.signal])), over])
  } finally {
    clearTimeout(timer)
  }
}

const noPorts = {}

/**
 * Returns the services of the ports that a format requires or uses, under the names that the format chose; `undefined` for a
 * missing port.
 */
export function portsFor(field: Field, ports: ReadonlyMap<string, unknown>): DeriveContext['ports'] {
  const { requires, uses } = field as Partial<Format>
  const wanted = Object.entries({ ...requires, ...uses })
  if (wanted.length === 0) return noPorts
  return Object.fromEntries(wanted.map(([key, { name }]) => [key, ports.get(name)]))
}

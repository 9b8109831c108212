// Reads a JSON response as one page of a list, and determines the URL of the next page.
import { isRecord, readScriptJson } from '@harvestman/html/internal'
import { totalBeside } from './records.ts'
import type { JsonAnswer } from './types.ts'

/** One page of a JSON list. */
export interface AnswerPage {
  readonly count: number
  /** The first record as JSON. Used to detect repeated pages. */
  readonly first: string
  readonly next?: string
  /** Total number of records on all pages. */
  readonly total?: number
}

/**
 * Reads the list at a JSON Pointer in a JSON response. `next` is absent if the URL of the next page is unknown. Returns
 * `undefined` if there is no list. Throws a `TypeError` if the URL of the response is invalid.
 */
export function readAnswer({ url, text }: JsonAnswer, pointer: string): AnswerPage | undefined {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const around: unknown[] = []
  let value: unknown = readScriptJson(text)
  for (const step of steps) {
    around.push(value)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined
  }
  if (!Array.isArray(value)) return undefined
  const outwards = around.filter(isRecord).toReversed()
  const next = value.length > 0 ? nextOf(url, value.length, outwards) : undefined
  const total = outwards[0] && totalBeside(outwards[0], value.length)
  return {
    count: value.length,
    first: JSON.stringify(value[0] ?? null),
    ...(next !== undefined && { next }),
    ...(total !== undefined && { total }),
  }
}

type JsonRecord = Readonly<Record<string, unknown>>

const nextUrlName = /^next(?:[_-]?(?:url|link|href|page(?:[_-]?url)?))?$/i
const nextCursorName = /^(?:next|end)[_-]?(?:cursor|token|page[_-]?token|key|after)$/i
const cursorParam = /cursor|token|after/i
const offsetParam = /^_?(?:offset|start|skip|from)$/i
const pageParam = /^_?(?:page|p|pg|page[_-]?(?:no|num|number|index)|current[_-]?page)$/i

/**
 * Returns the URL of the next page: from a URL or cursor in the response, or by incrementing the page or offset parameter of
 * `url`. Returns `undefined` without any of these.
 */
function nextOf(url: string, count: number, around: readonly JsonRecord[]): string | undefined {
  const at = new URL(url)
  const named = find(around, nextUrlName, (value) => /^(?:https?:|[/?])/.test(value))
  if (named !== undefined) {
    const next = URL.parse(named, url)
    return next?.origin === at.origin ? next.href : undefined
  }
  const params = [...at.searchParams]
  const cursor = find(around, nextCursorName)
  const [cursorName] = params.find(([name]) => cursorParam.test(name)) ?? []
  if (cursorName !== undefined) return cursor === undefined ? undefined : withParam(at, cursorName, cursor)
  const [counting] = params.filter(
    ([name, value]) => /^\d{1,9}$/.test(value) && (offsetParam.test(name) || pageParam.test(name)),
  )
  if (!counting) return undefined
  const [name, value] = counting
  return withParam(at, name, String(Number(value) + (offsetParam.test(name) ? count : 1)))
}

/** Returns a value by its key, from the records around the list, innermost first, and from objects in them such as `paging`. */
function find(
  around: readonly JsonRecord[],
  name: RegExp,
  test: (value: string) => boolean = () => true,
): string | undefined {
  for (const record of around) {
    const near = [record, ...Object.values(record).filter(isRecord)]
    for (const [key, value] of near.flatMap((one) => Object.entries(one)))
      if (
        name.test(key) &&
        (typeof value === 'string' || typeof value === 'number') &&
        value !== '' &&
        test(String(value))
      )
        return String(value)
  }
  return undefined
}

function withParam(at: URL, name: string, value: string): string {
  const next = new URL(at)
  next.searchParams.set(name, value)
  return next.href
}

// Requests that were asked before, which need not be checked and planned again. Their JSON text is the key; a request
// with a function or with a schema of a library in it is read anew each time.
import { fairlyKept } from '../lib/fairly-kept.ts'
import type { ScrapeSchema } from '../plugin/build-schema.ts'
import type { Registry } from '../plugin/registry.ts'
import { parseWebUrl } from '@harvestman/net/request'
import { check } from '../schema/problems.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Remembered } from '../scrape/made.ts'

/** A request that was checked, and what earlier ones of the same text have left. */
export interface KnownRequest {
  readonly request: ScrapeRequest
  readonly remembered: Remembered
  /** True when the request is JSON and nothing else. */
  readonly isPlain: boolean
}

export interface KnownRequests {
  /** Reads a request of a team, as `check` does. `wants` is what beside its text decides what is made of the page. */
  read(team: string, input: unknown, wants: string): KnownRequest
}

// The part of the room for checked options.
const optionsShare = 1 / 8
// A plan, and what a page was found to be.
const asideBytes = 4_000

/** Remembers requests that were answered from a page that is kept, with the answer, in so many bytes; and options that were checked. */
export function knownRequests(
  schemas: { readonly scrape: ScrapeSchema },
  { schemes }: Pick<Registry, 'schemes'>,
  room: number,
): KnownRequests {
  const answered = fairlyKept<KnownRequest>(room * (1 - optionsShare))
  const checked = fairlyKept<ScrapeRequest>(room * optionsShare)
  /** Callers change the address, and seldom anything else. */
  const readOptions = (team: string, input: PlainRequest): ScrapeRequest => {
    const { url, ...options } = input
    const text = JSON.stringify(options)
    const known = checked.get(team, text)
    const address = known && typeof url === 'string' ? parseWebUrl(url, schemes) : undefined
    if (known && address?.text !== undefined) return Object.freeze({ ...known, url: address.text })
    const request = check<ScrapeSchema>(schemas.scrape, input)
    if (mayRemember(request)) checked.set(team, text, request, 2 * text.length)
    return request
  }
  return {
    read: (team, input, wants) => {
      const text = plainText(input)
      if (text === undefined)
        return { request: check<ScrapeSchema>(schemas.scrape, input), remembered: {}, isPlain: false }
      const key = `${wants} ${text}`
      const known = answered.get(team, key)
      if (known) return known
      const remembered: Remembered = {
        keep: (made, bytes) => {
          remembered.made = made
          answered.set(team, key, asked, asideBytes + bytes)
        },
      }
      // Cast: the text of an object.
      const asked = { request: readOptions(team, input as PlainRequest), remembered, isPlain: true }
      return asked
    },
  }
}

/** Nothing is kept of a request that asks for that; nor of one with secrets in it, which no kept page answers. */
function mayRemember({ zeroDataRetention, headers, actions }: ScrapeRequest): boolean {
  return !zeroDataRetention && Object.keys(headers).length === 0 && actions.length === 0
}

type PlainRequest = Readonly<Record<string, unknown>>

const longest = 4_096
const deepest = 20

/** The text of an object of plain JSON, which says all that is in it; nothing for others, and for what is too long. */
function plainText(input: unknown): string | undefined {
  if (typeof input !== 'object' || Array.isArray(input) || !isPlain(input, 0)) return undefined
  const text = JSON.stringify(input)
  return text.length > longest ? undefined : text
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > deepest) return false
  if (Array.isArray(value)) return isPlainList(value, depth)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key in value) if (!isPlain((value as PlainRequest)[key], depth + 1)) return false
  return true
}

function isPlainList(list: readonly unknown[], depth: number): boolean {
  // One past the longest text is looked at no further; and `every` would leave out holes.
  if (list.length > longest) return false
  for (let index = 0; index < list.length; index += 1) if (!isPlain(list[index], depth + 1)) return false
  return true
}

// Requests that were run in this browser. They are only stored locally.
import { signal } from '@preact/signals'

import { targetOf, type Draft, type Values } from './draft.ts'

/** A request that was run. */
export interface PastRequest {
  readonly at: number
  readonly draft: Draft
}

const name = 'harvestman.history'
const most = 100
/** Options that may contain passwords are not stored. */
const secret: ReadonlySet<string> = new Set(['headers', 'actions'])

export const past = signal<readonly PastRequest[]>(read())

/**
 * Stores a request, without its secrets; a repeated one moves to the front. Requests about a local file are not
 * stored, because the file is not. The oldest ones are dropped beyond a limit.
 */
export function remember(draft: Draft, at = Date.now()): void {
  if (targetOf(draft.kind).as === 'file') return
  const kept = { ...draft, values: withoutSecrets(draft.values) }
  const text = JSON.stringify(kept)
  const others = past.value.filter((one) => JSON.stringify(one.draft) !== text)
  write([{ at, draft: kept }, ...others].slice(0, most))
}

/** Deletes all stored requests. */
export function forgetAll(): void {
  write([])
}

function withoutSecrets(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (secret.has(key)) return []
      return [[key, isObject(value) ? withoutSecrets(value) : value]]
    }),
  )
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the requests that contain all these words, in upper or lower case. Without words, returns all of them. */
export function findPast(words: string, all: readonly PastRequest[]): readonly PastRequest[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter(({ draft }) => {
    const text = JSON.stringify(draft).toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

function write(all: readonly PastRequest[]): void {
  past.value = all
  try {
    localStorage.setItem(name, JSON.stringify(all))
  } catch {
    // If the browser blocks storage, the history lasts while the page is open.
  }
}

function read(): readonly PastRequest[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPast) : []
  } catch {
    return []
  }
}

function isPast(value: unknown): value is PastRequest {
  if (!isObject(value) || typeof value['at'] !== 'number' || !isObject(value['draft'])) return false
  const { kind, url, formats, formatValues, values } = value['draft']
  const texts = [kind, url].every((text) => typeof text === 'string')
  return texts && Array.isArray(formats) && isObject(formatValues) && isObject(values)
}

// Stores learned extractors by team and host, 16 per host and 1,000 hosts. The oldest are dropped.
import { createHash } from 'node:crypto'

import type { PluginStore } from '@harvestman/core/plugin'
import { isRecord, type Json, type JsonSchema, type Value } from '@harvestman/ports'

import { fitting, readPrograms, versionsIn, type ExtractorVersion } from './versions.ts'

/** A stored extractor. */
export interface Extractor extends ExtractorVersion {
  readonly id: string
  readonly host: string
  /** Hash of the schema and prompt. Extractors are tried on pages only for the same question. */
  readonly question: string
}

/** The extractors of one team. */
export interface Catalog {
  of(host: string, question: string): Promise<readonly Extractor[]>
  list(): Promise<readonly Extractor[]>
  find(id: string): Promise<Extractor | undefined>
  /** Replaces the extractor with this id, or adds a new one. */
  put(given: Pick<Extractor, 'host' | 'question' | 'program'>, id?: string): Promise<Extractor>
  /** Returns the versions of an extractor, newest first, starting with the current one. */
  versions(of: Extractor): Promise<readonly ExtractorVersion[]>
  delete(id: string): Promise<boolean>
}

const maxHosts = 1_000
const maxPerHost = 16
const index = 'extractors'
const keyOf = (host: string): string => `extractors/${host}`

/**
 * Returns a hash (22 characters) of the schema and prompt, which is equal for equal questions, whatever the order of keys.
 */
export function questionOf(schema: JsonSchema, prompt: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([sorted(schema), prompt ?? null]))
    .digest('base64url')
    .slice(0, 22)
}

/** Sorts the keys of objects, so that their order does not affect the hash. */
function sorted(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map((one: Json) => sorted(one))
  if (!isRecord(value)) return value ?? null
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]))
}

/**
 * Returns the catalog of the extractors in a store, which are stored by host: 1,000 hosts, and for each at most 16 extractors
 * of 200,000 characters together. The oldest are dropped. `now` returns milliseconds. Calls reject if the store fails.
 */
export function catalogIn(store: PluginStore, now: () => number): Catalog {
  const all = async (host: string): Promise<readonly Extractor[]> => readExtractors(await store.get(keyOf(host)))
  const versions = versionsIn(store)
  const hosts = async (): Promise<readonly string[]> => namesIn(await store.get(index))
  const find = async (id: string): Promise<Extractor | undefined> => {
    const host = hostIn(id)
    return host === undefined ? undefined : (await all(host)).find((one) => one.id === id)
  }
  const remember = async (host: string): Promise<void> => {
    let dropped: readonly string[] = []
    await store.update(index, (old) => {
      const known = [host, ...namesIn(old).filter((name) => name !== host)]
      dropped = known.slice(maxHosts)
      return known.slice(0, maxHosts)
    })
    for (const name of dropped) {
      await versions.forget(await all(name))
      await store.delete(keyOf(name))
    }
  }
  return {
    versions: versions.of,
    of: async (host, question) => (await all(host)).filter((one) => one.question === question),
    list: async () => (await Promise.all((await hosts()).map(all))).flat(),
    find,
    put: async (given, id) => {
      let made: Extractor | undefined
      let before: Extractor | undefined
      let lost: readonly Extractor[] = []
      await store.update(keyOf(given.host), (old) => {
        const known = readExtractors(old)
        before = known.find((one) => one.id === id)
        made = {
          ...given,
          id: before?.id ?? newId(given.host, known),
          revision: (before?.revision ?? 0) + 1,
          changedAt: now(),
        }
        const retained = fitting([made, ...known.filter((one) => one.id !== made?.id)], maxPerHost)
        lost = known.filter(({ id: own }) => !retained.some((one) => one.id === own))
        return JSON.stringify(retained)
      })
      await versions.forget(lost)
      if (before) await versions.remember(before)
      await remember(given.host)
      return made!
    },
    delete: async (id) => {
      const host = hostIn(id)
      const found = await find(id)
      if (host === undefined || !found) return false
      await store.update(keyOf(host), (old) => {
        const left = readExtractors(old).filter((one) => one.id !== id)
        return left.length === 0 ? undefined : JSON.stringify(fitting(left, maxPerHost))
      })
      await versions.forget([found])
      return true
    },
  }
}

/** Returns an unused id that contains the host, such as `example.com.3`. */
function newId(host: string, known: readonly Extractor[]): string {
  const last = Math.max(0, ...known.map(({ id }) => Number(id.slice(id.lastIndexOf('.') + 1)) || 0))
  return `${host}.${last + 1}`
}

function hostIn(id: string): string | undefined {
  return /^(.{1,260})\.\d{1,9}$/.exec(id)?.[1]
}

function namesIn(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
}

function readExtractors(value: Parameters<typeof readPrograms>[0]): readonly Extractor[] {
  // Cast: only full extractors are written under this key.
  return readPrograms(value) as readonly Extractor[]
}

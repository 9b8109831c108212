// Versions of extractors and how they are stored.
import type { PluginStore } from '@harvestman/core/plugin'
import type { Program as LearnedProgram } from '../reading/learned/types.ts'
import type { Value } from '@harvestman/ports'

/** A version of an extractor. */
export interface ExtractorVersion {
  /** Incremented by each change. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly program: LearnedProgram
}

type Versioned = ExtractorVersion & { readonly id: string }

const maxVersions = 10
const maxCharacters = 200_000
const keyOf = (id: string): string => `extractor-versions/${id}`

/**
 * Returns access to the versions of extractors, at most 10 including the current one. Earlier ones are stored under separate
 * keys, which `forget` deletes. Calls reject if the store fails.
 */
export function versionsIn(store: PluginStore) {
  return {
    /** Returns the versions, newest first. The first is the current one. */
    async of({ id, revision, changedAt, program }: Versioned): Promise<readonly ExtractorVersion[]> {
      const earlier = readPrograms(await store.get(keyOf(id)))
      return [{ revision, changedAt, program }, ...earlier.filter((one) => one.revision < revision)]
    },
    /** Stores a version that was replaced. */
    async remember({ id, revision, changedAt, program }: Versioned): Promise<void> {
      await store.update(keyOf(id), (old) => {
        const earlier = readPrograms(old).filter((one) => one.revision !== revision)
        return JSON.stringify(fitting([{ revision, changedAt, program }, ...earlier], maxVersions - 1))
      })
    },
    async forget(extractors: readonly Versioned[]): Promise<void> {
      for (const { id } of extractors) await store.delete(keyOf(id))
    },
  }
}

/** Returns the first `most` versions, or fewer if their JSON is longer than 200,000 characters, but at least one. */
export function fitting<One extends ExtractorVersion>(programs: readonly One[], most: number): readonly One[] {
  const few = programs.slice(0, most)
  while (few.length > 1 && JSON.stringify(few).length > maxCharacters) few.pop()
  return few
}

/** Parses stored versions. Ignores newer formats; empty if nothing is stored. Throws a `SyntaxError` for invalid JSON. */
export function readPrograms(value: Value | undefined): readonly ExtractorVersion[] {
  if (typeof value !== 'string') return []
  const read: unknown = JSON.parse(value)
  // Cast: only this module writes the value.
  return Array.isArray(read) ? (read as readonly ExtractorVersion[]).filter(({ program }) => program.version === 1) : []
}

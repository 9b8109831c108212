// Programs as they are written, and what became of each in time.
import type { PluginStore } from '@harvestman/core/plugin'
import type { Program as LearnedProgram } from '../reading/learned/types.ts'
import type { Value } from '@harvestman/ports'

/** A program as it was after a change. */
export interface ExtractorVersion {
  /** Counts each change. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly program: LearnedProgram
}

type Versioned = ExtractorVersion & { readonly id: string }

const mostVersions = 10
const mostBytes = 200_000
const keyOf = (id: string): string => `extractor-versions/${id}`

/** The earlier programs of extractors, which lie beside them. */
export function versionsIn(store: PluginStore) {
  return {
    /** The last versions, the newest first: the first is the one that runs. */
    async of({ id, revision, changedAt, program }: Versioned): Promise<readonly ExtractorVersion[]> {
      const earlier = readPrograms(await store.get(keyOf(id)))
      return [{ revision, changedAt, program }, ...earlier.filter((one) => one.revision < revision)]
    },
    /** Keeps a program that another one has taken the place of. */
    async remember({ id, revision, changedAt, program }: Versioned): Promise<void> {
      await store.update(keyOf(id), (old) => {
        const earlier = readPrograms(old).filter((one) => one.revision !== revision)
        return JSON.stringify(fitting([{ revision, changedAt, program }, ...earlier], mostVersions - 1))
      })
    },
    async forget(extractors: readonly Versioned[]): Promise<void> {
      for (const { id } of extractors) await store.delete(keyOf(id))
    },
  }
}

/** As many as there is room for, the latest first. */
export function fitting<One extends ExtractorVersion>(programs: readonly One[], most: number): readonly One[] {
  const few = programs.slice(0, most)
  while (few.length > 1 && JSON.stringify(few).length > mostBytes) few.pop()
  return few
}

/** What `fitting` left and was written as JSON. A program of a later version is left alone. */
export function readPrograms(value: Value | undefined): readonly ExtractorVersion[] {
  if (typeof value !== 'string') return []
  const read: unknown = JSON.parse(value)
  // Cast: we wrote it.
  return Array.isArray(read) ? (read as readonly ExtractorVersion[]).filter(({ program }) => program.version === 1) : []
}

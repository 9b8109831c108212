// Stores scripts by team and name, with their last versions and repairs.
import type { PluginStore } from '@harvestman/core/plugin'
import { unknownName } from '@harvestman/toolbox/choices'
import { EngineError, type Value } from '@harvestman/ports'
import { z } from 'zod'

import type { KeptScript, ScriptHistory, ScriptVersion } from '../script/results.ts'
import { bounds, scriptName, scriptSchema, type Script } from '../script/schema.ts'
import type { Repair } from '../run/run.ts'

const targetSchema = z.custom<Repair['before']>()
const storedSchema = z.object({
  versions: z
    .array(
      z.object({
        name: z.string(),
        version: z.int(),
        origin: z.enum(['recorded', 'edited', 'repaired']),
        changedAt: z.number(),
        script: scriptSchema,
      }),
    )
    .min(1),
  repairs: z.array(
    z.object({
      step: z.int(),
      changes: z.array(z.string()),
      before: targetSchema,
      after: targetSchema,
      at: z.number(),
      version: z.int(),
    }),
  ),
})
type Stored = z.output<typeof storedSchema>

/** The scripts of one team. */
export interface Catalog {
  list(): Promise<readonly ScriptVersion[]>
  /** Rejects with `not_found`. */
  get(name: string, version?: number): Promise<KeptScript>
  history(name: string): Promise<ScriptHistory>
  /** Stores a new version. */
  put(name: string, script: Script, origin: KeptScript['origin']): Promise<KeptScript>
  /** Stores the repaired script as a new version, unless version `of` is no longer the newest. */
  repair(name: string, of: number, script: Script, repairs: readonly Repair[]): Promise<KeptScript | undefined>
  delete(name: string): Promise<void>
}

const index = 'scripts'
const keyOf = (name: string): string => `scripts/${name}`
/** Maximum size of all versions of a script, in characters. */
const maxSize = 2_000_000

/**
 * Creates access to the scripts in a store. Rejects with `not_found` for a script or version that does not exist. `put` rejects
 * with `conflict` if the team has 500; `repair` resolves to `undefined` if there is a newer version. The 20 newest versions are
 * retained, fewer if they exceed 2,000,000 characters. `now` returns milliseconds.
 */
export function catalogIn(store: PluginStore, now: () => number): Catalog {
  const read = async (name: string): Promise<Stored> => {
    const isName = scriptName.safeParse(name).success
    const stored = isName ? storedIn(await store.get(keyOf(name))) : undefined
    if (stored) return stored
    throw new EngineError('not_found', unknownName('script', name, namesIn(await store.get(index))))
  }
  const remember = async (name: string): Promise<void> => {
    await store.update(index, (old) => {
      const known = namesIn(old).filter((one) => one !== name)
      if (known.length < bounds.scriptsOfTeam) return [...known, name].toSorted()
      throw new EngineError(
        'conflict',
        `Your team has ${known.length} scripts, which is the maximum. Delete one first.`,
      )
    })
  }
  return {
    ...readers(store, read),
    put: async (name, script, origin) => {
      await remember(name)
      let made: KeptScript | undefined
      await store.update(keyOf(name), (old) => {
        const stored = storedIn(old)
        made = { name, version: (stored?.versions[0]?.version ?? 0) + 1, origin, changedAt: now(), script }
        return written({ versions: [made, ...(stored?.versions ?? [])], repairs: stored?.repairs ?? [] })
      })
      return made!
    },
    repair: async (name, of, script, repairs) => {
      let made: KeptScript | undefined
      await store.update(keyOf(name), (old) => {
        const stored = storedIn(old)
        made = undefined
        if (stored?.versions[0]?.version !== of) return old
        made = { name, version: of + 1, origin: 'repaired', changedAt: now(), script }
        const dated = repairs.map((one) => ({ ...one, changes: [...one.changes], at: now(), version: of + 1 }))
        return written({ versions: [made, ...stored.versions], repairs: [...dated, ...stored.repairs] })
      })
      return made
    },
    delete: async (name) => {
      await read(name)
      await store.delete(keyOf(name))
      await store.update(index, (old) => namesIn(old).filter((one) => one !== name))
    },
  }
}

function readers(
  store: PluginStore,
  read: (name: string) => Promise<Stored>,
): Pick<Catalog, 'list' | 'get' | 'history'> {
  return {
    list: async () => {
      const some = await Promise.all(
        namesIn(await store.get(index)).map(async (name) => storedIn(await store.get(keyOf(name)))),
      )
      return some.flatMap((stored) => (stored?.versions[0] ? [summary(stored.versions[0])] : []))
    },
    get: async (name, version) => {
      const { versions } = await read(name)
      const found = version === undefined ? versions[0] : versions.find((one) => one.version === version)
      if (found) return found
      throw new EngineError('not_found', `The script "${name}" no longer has version ${version}.`)
    },
    history: async (name) => {
      const { versions, repairs } = await read(name)
      return { versions: versions.map(summary), repairs }
    },
  }
}

function summary({ script, ...rest }: KeptScript): ScriptVersion {
  const { start, parameters, steps } = script
  return { ...rest, start, parameters, steps: steps.length }
}

/** Encodes as many versions as fit, newest first. */
function written({ versions, repairs }: Stored): string {
  const few = versions.slice(0, bounds.versions)
  const recentRepairs = repairs.slice(0, bounds.repairs)
  while (few.length > 1 && JSON.stringify(few).length > maxSize) few.pop()
  return JSON.stringify({ versions: few, repairs: recentRepairs })
}

function storedIn(value: Value | undefined): Stored | undefined {
  return typeof value === 'string' ? storedSchema.parse(JSON.parse(value)) : undefined
}

function namesIn(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
}

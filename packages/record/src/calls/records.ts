// Records of single calls: what a request with `record: true` had from outside, kept in the store of the engine.
import { defineFeature, definePlugin, type FeatureCall } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { readLimits, readSecrets, type RecordLimits, type Secrets } from '../options.ts'
import { callPorts } from './call-ports.ts'
import { makeRecorders, type StandAround } from './recorders.ts'
import { recordArchive } from './archive.ts'

/** Options of `records`. */
export interface RecordsOptions {
  /** What is left out, beside what always is and the headers of requests. */
  readonly secrets?: Secrets | undefined
  /** `bodyBytes` is 10,000,000 when absent, `fileBytes` 100,000,000, `exchanges` 20,000. */
  readonly limits?: Partial<RecordLimits> | undefined
}

/** A record that is kept. */
export interface KeptRecord {
  readonly id: string
  /** The size of the file. */
  readonly bytes: number
  /** Reads the file, a `.warc.gz`, from its start. */
  read(): AsyncGenerator<Uint8Array>
}

/** The records of an engine: `engine.records`. */
export interface Records {
  /** Finds the record of a scrape, map, search or job by its id. Rejects with `not_found` when there is none. */
  get(id: string, call?: OfTeam): Promise<KeptRecord>
  /** Deletes a record. One that is not there is no failure. */
  delete(id: string, call?: FeatureCall): Promise<void>
}

interface OfTeam {
  /** Who asks. Teams never see each other's records. */
  readonly team?: string | undefined
}

const ofCalls = { bodyBytes: 10_000_000, fileBytes: 100_000_000, exchanges: 20_000 }

/** Keeps a record of each request with `record: true`: `createEngine({ plugins: [records()] })`. */
export function records({ secrets, limits }: RecordsOptions = {}) {
  const given = { secrets: readSecrets(secrets), limits: readLimits({ ...ofCalls, ...limits }) }
  const around = new WeakMap<Records, StandAround>()
  const feature = defineFeature({
    name: 'records',
    activities: { record: 'records' },
    open: (kit) => {
      const archive = recordArchive(kit.store)
      const value: Records = {
        get: async (id, { team = kit.team } = {}) => {
          const found = await archive.read({ team, id })
          if (!found)
            throw new EngineError('not_found', `There is no record under ${id.slice(0, 100)}, or not any more.`)
          return { id, bytes: found.bytes, read: found.pieces }
        },
        delete: (id, call = {}) =>
          kit.admit({ endpoint: 'record', idOf: () => id }, call, ({ team }) => archive.delete({ team, id })),
      }
      around.set(value, makeRecorders({ archive, kit, ...given }))
      return value
    },
    around: (value, work, run) => around.get(value)?.(work, run) ?? run(),
  })
  return definePlugin({ name: 'records', ports: callPorts, features: [feature] })
}

// Records of single requests with `record: true`: everything they received from outside, kept in the engine's store.
import {
  defineFeature,
  definePlugin,
  fileOutput,
  recordedTrafficPort,
  type AskedBy,
  type EndpointCall,
  type EndpointFile,
  type FeatureKit,
  type MakeEndpoint,
} from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { readLimits, readSecrets, type RecordLimits, type Secrets } from '../options.ts'
import { callPorts } from './call-ports.ts'
import { noRecord, recordedResponses, type FindArchived } from './recorded-responses.ts'
import { makeRecorders, type StandAround } from './recorders.ts'
import { recordArchive, type Archive } from './archive.ts'

/** Options of `records`. */
export interface RecordsOptions {
  /** Set to `false` to keep no records. The endpoints then explain how to enable them. Default: `true`. */
  readonly enabled?: boolean | undefined
  /** What to omit from records, in addition to the built-in list and the request's headers. */
  readonly secrets?: Secrets | undefined
  /** Size limits. Defaults: `bodyBytes` 10,000,000, `fileBytes` 100,000,000, `exchanges` 20,000. */
  readonly limits?: Partial<RecordLimits> | undefined
}

const ofCalls = { bodyBytes: 10_000_000, fileBytes: 100_000_000, exchanges: 20_000 }

interface Service {
  readonly archive: Archive
  readonly engine: FeatureKit['engine']
  readonly around: StandAround | undefined
}

/** Rejects if the key may not read the record's job. Records of single requests have no job. */
async function checkJob({ engine }: Pick<Service, 'engine'>, id: string, call: AskedBy): Promise<void> {
  await engine.jobs.find(id, call).catch((error: unknown) => {
    if (!EngineError.is(error) || error.code !== 'not_found') throw error
  })
}

const findIn =
  (service: Pick<Service, 'archive' | 'engine'>): FindArchived =>
  async (id, call) => {
    const found = await service.archive.read({ team: call.team, id })
    if (!found) throw noRecord(id)
    await checkJob(service, id, call)
    return found
  }

interface RecordCall extends Pick<EndpointCall, 'call' | 'team'> {
  readonly params: { readonly id: string }
}

/** Returns the archive. Throws `not_configured` if this engine keeps no records. */
function archiveOf({ archive, around }: Service): Archive {
  if (around) return archive
  throw new EngineError('not_configured', 'This server keeps no records. Its operator can set HARVESTMAN_RECORDS=true.')
}

async function findRecord(service: Service, { params: { id }, call }: RecordCall): Promise<EndpointFile> {
  const found = await findIn({ ...service, archive: archiveOf(service) })(id, call)
  return { mediaType: 'application/gzip', name: `${id}.warc.gz`, bytes: found.pieces() }
}

async function deleteRecord(service: Service, { params: { id }, call }: RecordCall): Promise<void> {
  await checkJob(service, id, call)
  await archiveOf(service).delete({ team: call.team, id })
}

const path = '/v2/records/{id}'
const params = { id: z.string().min(1).max(64) }

const endpoints = (endpoint: MakeEndpoint<Service>) => ({
  get: endpoint({
    method: 'GET',
    path,
    params,
    summary: 'Returns the record of a request that had `record: true`, as a .warc.gz file.',
    output: fileOutput('application/gzip'),
    errors: ['not_found', 'not_configured'],
    run: findRecord,
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    params,
    summary: 'Deletes the record of a request. Repeating it has no effect.',
    errors: ['not_configured'],
    run: deleteRecord,
  }),
})

/**
 * Creates a plugin that keeps a record of each request with `record: true`: `createEngine({ plugins: [records()] })`. With
 * `enabled: false`, such requests are rejected with `not_configured`. Throws `invalid_request` if an option is invalid.
 */
export function records({ enabled = true, secrets, limits }: RecordsOptions = {}) {
  const settings = { secrets: readSecrets(secrets), limits: readLimits({ ...ofCalls, ...limits }) }
  const open = (kit: FeatureKit): Service => {
    const archive = recordArchive(kit.store)
    if (enabled) kit.provide(recordedTrafficPort, recordedResponses(findIn({ archive, engine: kit.engine })))
    return { archive, engine: kit.engine, around: enabled ? makeRecorders({ archive, kit, ...settings }) : undefined }
  }
  const parts = {
    name: 'records',
    summary: 'Returns and deletes the records of requests.',
    activities: { record: 'records' },
    open,
    endpoints,
  } as const
  // Without `keepsRecords`, the engine rejects `record: true`.
  const feature = enabled
    ? defineFeature({ ...parts, keepsRecords: true, around: ({ around }, work, run) => around?.(work, run) ?? run() })
    : defineFeature(parts)
  return definePlugin({ name: 'records', ports: enabled ? callPorts : undefined, features: [feature] })
}

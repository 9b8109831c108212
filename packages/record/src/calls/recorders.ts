import { llmPort, searchPort, type EngineWork, type FeatureKit } from '@harvestman/core/plugin'
import { EngineError, isRecord, type LLM, type Search } from '@harvestman/ports'
import { pageOptionsOf } from '@harvestman/toolbox/page-options'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

import { searchNote } from '../notes.ts'
import type { RecordLimits, Secrets } from '../options.ts'
import { redactionOf } from '@harvestman/toolbox/redaction'
import { current } from './call-ports.ts'
import { openCallRecorder, type CallRecorder } from './call-recorder.ts'
import type { Archive } from './archive.ts'

/** Dependencies for recording calls. */
export interface RecordersOptions {
  readonly archive: Archive
  readonly kit: Pick<FeatureKit, 'owner' | 'clock' | 'headers' | 'keep' | 'port' | 'warn'>
  readonly limits: RecordLimits
  readonly secrets: Secrets
}

/** Wraps the work of an engine, to record it if requested. */
export type StandAround = <Result>(work: EngineWork, run: () => Promise<Result>) => Promise<Result>

// Idle recorders of jobs are reused for the next visit, because they know which bodies are already in the record.
const maxIdle = 200

/**
 * Creates a wrapper that records the engine's work if the request has `record: true`. Errors of the work are passed
 * on, those of single requests with the id of their record.
 */
export function makeRecorders(options: RecordersOptions): StandAround {
  const busy = new Map<string, CallRecorder>()
  const idle = recentlyUsed<string, CallRecorder>(maxIdle)
  const begin = (work: EngineWork): { readonly recorder: CallRecorder; readonly end: () => Promise<void> } => {
    const key = JSON.stringify([work.team, work.id])
    const recorder = busy.get(key) ?? idle.get(key) ?? openCallRecorder(recorderFor(work, options))
    busy.set(key, recorder)
    recorder.begin()
    const end = async (): Promise<void> => {
      const stored = recorder.end()
      if (!recorder.isBusy) busy.delete(key)
      if (!recorder.isBusy && work.isOfJob) idle.set(key, recorder)
      await stored
    }
    return { recorder, end }
  }
  return async (work, run) => {
    // Work started inside other work is not part of its record.
    if (!work.isRecorded) return current.run(undefined, run)
    const { recorder, end } = begin(work)
    // The id was created before recording started, so note it now.
    if (!work.isOfJob) recorder.recorder.id(work.id)
    try {
      return await current.run(recorder, run)
    } catch (error) {
      throw work.isOfJob ? error : withRecord(error, work.id)
    } finally {
      await end()
    }
  }
}

function recorderFor(work: EngineWork, { archive, kit, limits, secrets }: RecordersOptions) {
  const { id, team, isOfJob } = work
  const { name, contextTokens } = kit.port<LLM>(llmPort) ?? {}
  const search = kit.port<Search>(searchPort)
  return {
    ...{ archive, limits, owner: kit.owner, warn: kit.warn, now: () => kit.clock.now() },
    to: {
      ...{ id, team, ttl: isOfJob ? kit.keep.jobs : kit.keep.results },
      options: pageOptionsOf(work.request, kit.headers),
    },
    redaction: redactionOf({ ...secrets, headers: [...(secrets.headers ?? []), ...headersOf(work.request)] }),
    begun: {
      ...(kit.port(llmPort) && { model: { name, contextTokens } }),
      ...(search && { search: searchNote(search) }),
    },
  }
}

/** Returns the names of headers in the request, because their values may be secrets. */
function headersOf(request: unknown): string[] {
  if (!isRecord(request)) return []
  const { headers, scrapeOptions } = request
  return [...(isRecord(headers) ? Object.keys(headers) : []), ...headersOf(scrapeOptions)]
}

/** Adds the record's id to the error details. */
function withRecord(error: unknown, record: string): unknown {
  if (!EngineError.is(error)) return error
  return new EngineError(error.code, error.message, { cause: error.cause, details: { ...error.details, record } })
}

// Scrapes a page or parses a file of the caller. Both work the same way once the bytes are there.
import { noteRequest } from './requests.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import { someTeam } from './some-team.ts'
import type { Call } from './types.ts'
import { EngineError } from '@harvestman/ports'
import { addressOfFile, fileLoader, type InputFile } from '../loaders/given.ts'
import { worksOnFiles, type FileSchema, type ScrapeSchema } from '../plugin/build-schema.ts'
import { notOfFiles, toPageOptions } from '../schema/file.ts'
import { makeDocumentParser } from './own-schemas.ts'
import { check } from '../schema/problems.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { formatValue } from '../lib/format-value.ts'
import { makeDocumentCache } from '../scrape/cached-document.ts'
import type { AnyDocument } from '../scrape/document.ts'
import { cancelled } from '../scrape/deadline.ts'
import { endWaits, loadOrWait, type Kit } from '../scrape/kit.ts'
import type { DocumentSlot } from '../scrape/made.ts'
import { scrape } from '../scrape/scrape.ts'
import { checkFormatScope } from '../gates/scopes.ts'
import { waitForPermit, type RequestPermits } from '@harvestman/coordination'

export interface Scrapes {
  scrape(request: unknown, call?: Call): Promise<AnyDocument>
  parse(bytes: Uint8Array, request?: unknown, call?: Call): Promise<AnyDocument>
  /** Returns how many pages and files of each team are being read, without pages of jobs. */
  readonly loading: ReadonlyMap<string, number>
}

export interface ScrapesOptions {
  readonly kit: Kit
  readonly schemas: { readonly scrape: ScrapeSchema; readonly parse: FileSchema }
  readonly gate: RequestGate
  readonly requests: RequestPermits
  /** Cache size in bytes for documents. */
  readonly memory: number
}

/** Validated scrape request, and the kit to run it with. */
interface Task {
  readonly request: ScrapeRequest
  readonly kit: Kit
  /** Absent if the document must not come from the cache. */
  readonly slot?: DocumentSlot | undefined
}

/**
 * Creates `scrape` and `parse`. Both wait for a permit of the team, which counts against the timeout of the request, and reject
 * with `rate_limited` if too many requests wait already. Failures are noted and rethrown.
 */
export function makeScrapes({ kit, schemas, gate, requests, memory }: ScrapesOptions): Scrapes {
  const documents = makeDocumentCache(memory)
  const loading = new Map<string, number>()
  const count = (team: string, change: 1 | -1): void => {
    const now = (loading.get(team) ?? 0) + change
    if (now > 0) loading.set(team, now)
    else loading.delete(team)
  }
  const carryOut = async (
    group: 'scrape' | 'parse',
    input: unknown,
    prepare: (team: string) => Task,
    call: Call,
  ): Promise<AnyDocument> => {
    const { team = someTeam, signal, keep = false, filesAt, explain = false, encoded = false, key, apiVersion } = call
    const id = kit.newId()
    // A file is parsed like a page, so the activity log shows it as a scrape.
    const { begun, refused } = noteRequest(gate, 'scrape', input, { team, key, apiVersion }, id)
    const startedAt = kit.clock.now()
    try {
      const { limits = {} } = await gate.admit({ group }, { ...call, team })
      const { request, kit, slot } = prepare(team)
      checkFormatScope(request.formats, call, kit.registry.formats)
      kit.around.check(request)
      const caller = { team, id, task: id, signal, keep, filesAt, key, begun }
      const fit = slot ? undefined : makeDocumentParser(input, kit.registry.formats)
      const work = { id, team, request, isOfJob: false }
      const load = async (): Promise<AnyDocument> => {
        const permit = await waitForPermit(requests, team, limits, request.timeout, signal)
        count(team, 1)
        try {
          // Waiting for the permit counts against the timeout of the request.
          const timeout = Math.max(1, request.timeout - Math.round(permit.waited))
          const wants = { explain, encoded, fit, timeout, slot }
          return (await kit.around.run(work, () => scrape(request, caller, kit, wants))).document
        } finally {
          count(team, -1)
          permit.release()
        }
      }
      return await (request.person ? loadWithPerson(kit, { request, team, id, startedAt }, signal, load) : load())
    } catch (error) {
      refused(error)
      throw error
    }
  }
  return {
    loading,
    scrape: (input, call = {}) => {
      const { encoded = false, explain = false } = call
      const prepare = (team: string): Task => {
        // Only encoded documents are cached, because other callers may modify theirs.
        const slot = encoded && !explain ? documents.slot(team, input) : undefined
        return { request: slot?.cached?.request ?? check<ScrapeSchema>(schemas.scrape, input), kit, slot }
      }
      return carryOut('scrape', input, prepare, call)
    },
    parse: (bytes, input = {}, call = {}) => {
      const options = typeof input === 'object' && input !== null ? { ...input, url: nameIn(input) } : input
      return carryOut('parse', options, () => fileTask(bytes, input, schemas, kit), call)
    },
  }
}

/** Loads a page with the option `person`, again after each wait. */
async function loadWithPerson<Loaded>(
  kit: Kit,
  page: Parameters<typeof loadOrWait>[1],
  signal: AbortSignal | undefined,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  let hasWaited = false
  try {
    for (;;) {
      const done = await loadOrWait(kit, page, signal, load)
      if ('loaded' in done) return done.loaded
      hasWaited = true
      // If the person could not help, the next attempt rejects with the reason.
      const over = done.wait.over.catch(() => undefined)
      await (signal ? untilAborted(over, signal) : over)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
    throw cancelled(signal.reason)
  } finally {
    // The request expires by itself if the store fails.
    if (hasWaited) await endWaits(kit, page).catch(() => undefined)
  }
}

function nameIn({ url, name }: { readonly url?: unknown; readonly name?: unknown }): unknown {
  return url ?? name
}

function fileTask(bytes: Uint8Array, input: unknown, schemas: ScrapesOptions['schemas'], kit: Kit): Task {
  const checked = check(schemas.parse, optionsOfFile(input, kit))
  const file: InputFile = { ...(checked as Omit<InputFile, 'bytes'>), bytes }
  checkBytes(bytes, kit)
  const request = { ...toPageOptions(checked), url: addressOfFile(file) } as ScrapeRequest
  const registry = { ...kit.registry, loaders: [fileLoader(file)] }
  return { request, kit: { ...kit, mayVisit: undefined, registry } }
}

/**
 * Returns the options for an uploaded file. Options about loading a page are rejected with an error that names them, unless
 * they are switched off, as some clients send them. Those are removed.
 */
function optionsOfFile(input: unknown, { registry }: Kit): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const options = input as Readonly<Record<string, unknown>>
  if (isSet(options['actions'])) throw notForFiles('actions')
  for (const entry of Array.isArray(options['formats']) ? (options['formats'] as readonly unknown[]) : []) {
    const word = typeof entry === 'object' && entry !== null && 'type' in entry ? entry.type : entry
    const format = registry.formats.find(({ type, aliases }) => type === word || Object.hasOwn(aliases, String(word)))
    if (format && !worksOnFiles(format) && !format.isRaw) throw notForFiles(format.type, inWords(format.type))
  }
  const option = notOfFiles.find((name) => isSet(options[name]))
  if (option !== undefined) throw notForFiles(option)
  if (options['proxy'] === 'stealth' || options['proxy'] === 'enhanced') throw notForFiles('proxy')
  return Object.fromEntries(Object.entries(options).filter(([name]) => !notOfFiles.includes(name)))
}

/** Returns false for an option that is absent or switched off. */
function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function notForFiles(name: string, words = name): EngineError {
  return new EngineError('not_for_files', `Files do not support ${words}: nothing is loaded. Remove ${name}.`)
}

/** Returns a name in separate words: `changeTracking` becomes `change tracking`. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function checkBytes(bytes: Uint8Array, { limits: { bodyBytes } }: Kit): void {
  if (!(bytes instanceof Uint8Array))
    throw new EngineError('invalid_request', `The file must be a Uint8Array, but is ${formatValue(bytes)}.`)
  if (bytes.byteLength === 0) throw new EngineError('invalid_request', 'The file is empty. Provide one with content.')
  if (bytes.byteLength <= bodyBytes) return
  const message = `The file has ${bytes.byteLength} bytes; at most ${bodyBytes} are read. Raise limits.bodyBytes to read it.`
  throw new EngineError('response_too_large', message, { details: { bytes: bytes.byteLength, limit: bodyBytes } })
}

import { parseStored } from '@harvestman/ports/stores'
import { isEncodedJson, jsonOnce } from '@harvestman/ports/values'
import { joinInTurns } from '@harvestman/toolbox/join-in-turns'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { openJson } from '@harvestman/toolbox/open-json'
import { hasCredentials, type Vault } from '@harvestman/toolbox/sealed'
import { bodiesInStore, decompressFrame, withCompressed, type Bodies } from '@harvestman/coordination'
import { EngineError, type ErrorCode, type Json, type Store, type Value } from '@harvestman/ports'
import type { AnyDocument } from './document.ts'
import type { Caller } from './caller.ts'
import type { ReplayContext } from '../plugin/feature.ts'
import { storeKeys } from '../keys.ts'

/** Results of finished scrapes, by id, until they expire. */
export interface Results {
  keep(caller: Pick<Caller, 'team' | 'id'>, outcome: Outcome): Promise<void>
  /** Returns the document. With `isEncoded`, its large values are `EncodedJson`, for callers that only serialize it. */
  find(id: string, team: string, isEncoded?: boolean): Promise<AnyDocument>
  /** Returns the options needed to load the page again in a live browser; `undefined` if they were not stored. */
  findReplay(id: string, team: string): Promise<ReplayContext | undefined>
}

/** Result of a scrape: a document or an error. */
export type Outcome =
  | {
      readonly document: AnyDocument
      readonly replay?: ReplayContext | undefined
    }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } }

/** Picks the options that are needed to load the page again in a live browser. */
export function replayContext(request: ReplayContext): ReplayContext {
  const { url, headers, mobile, blockAds, skipTlsVerification, location, waitFor, actions, proxy, profile } = request
  return { url, headers, mobile, blockAds, skipTlsVerification, location, waitFor, actions, proxy, profile }
}

type StoredResult = Outcome & { readonly team: string }

type StoredDocument = Extract<Outcome, { document: AnyDocument }>

/** Reference to a result that is stored in a file. */
type InFile = {
  readonly file: string
  /** Uncompressed size of the result in bytes, if the file is compressed. */
  readonly length?: number | undefined
}

export interface ResultsOptions {
  readonly store: Store
  readonly storeOf: (team: string) => Store
  readonly bodies: Bodies
  /** Encrypts the credentials in stored requests. */
  readonly vault: Vault | undefined
  /** Milliseconds until a result expires. */
  readonly ttl: number
}

/**
 * Creates the storage of results. Finding one rejects with `not_found` if it is unknown or expired, with `forbidden` if it
 * belongs to another team, and with the stored error of a scrape that failed.
 */
export function makeResults({ store, storeOf, bodies, vault, ttl }: ResultsOptions): Results {
  const keyOf = storeKeys.scrape
  const options = { ttl, isSpare: true }
  const open = async (id: string, team: string, isEncoded: boolean): Promise<StoredDocument> => {
    const found = await store.get(keyOf(id))
    if (typeof found !== 'object' || found === null) {
      throw new EngineError('not_found', 'This scrape does not exist, or it has expired.')
    }
    const stored = await openResult(await fromFile(found, bodies), isEncoded)
    if (stored.team !== team) throw new EngineError('forbidden', 'This scrape belongs to another team.')
    if ('error' in stored) throw new EngineError(stored.error.code, stored.error.message)
    return stored
  }
  return {
    // Stored as bytes, so that the store does not serialize the result a second time.
    keep: async ({ team, id }, plain) => {
      const outcome = sealed(plain, vault)
      const bytes = await bytesOf(team, outcome)
      // A store encrypts credentials in JSON values but not in bytes.
      if (vault && hasCredentials(urlOf(outcome)))
        return storeOf(team).set(keyOf(id), JSON.parse(Buffer.from(bytes).toString()) as Json, options)
      // Large results yield to the event loop between joining and writing.
      if (bytes.byteLength > largeBytes) await nextTurn()
      const value = (await toFile(keyOf(id), bytes, bodies, options)) ?? bytes
      await storeOf(team).set(keyOf(id), value, options)
      if (bytes.byteLength > largeBytes) await nextTurn()
    },
    find: async (id, team, isEncoded = false) => (await open(id, team, isEncoded)).document,
    findReplay: async (id, team) => opened((await open(id, team, true)).replay, vault),
  }
}

function urlOf(outcome: Outcome): string {
  return 'error' in outcome ? '' : outcome.document.metadata.sourceURL
}

/** Encrypts the credentials of the request. */
function sealed(outcome: Outcome, vault: Vault | undefined): Outcome {
  if (!vault || 'error' in outcome || !outcome.replay) return outcome
  const replay = vault.seal(outcome.replay)
  // Cast: a vault replaces only strings and objects with other JSON values.
  return replay === outcome.replay ? outcome : { ...outcome, replay: replay as ReplayContext }
}

function opened(replay: ReplayContext | undefined, vault: Vault | undefined): ReplayContext | undefined {
  // Cast: as above.
  return replay && vault ? (vault.open(replay) as ReplayContext) : replay
}

const largeBytes = 1_048_576

type Found = Exclude<Value, null | string | number | boolean>

/** Writes a result to a file. Returns the reference to store, or `undefined` if the result should stay in the store. */
async function toFile(
  key: string,
  bytes: Uint8Array,
  bodies: Bodies,
  options: { readonly ttl: number; readonly isSpare: boolean },
): Promise<Json | undefined> {
  if (bodies === bodiesInStore) return undefined
  return withCompressed([bytes], async (pieces, length) => {
    const file = await bodies.put(key, pieces, options)
    return file === undefined
      ? undefined
      : { inFile: { file, ...(length !== undefined && { length }) } satisfies InFile }
  })
}

async function fromFile(found: Found, bodies: Bodies): Promise<Found> {
  if (found instanceof Uint8Array || !('inFile' in found)) return found
  // Cast: the reference was made by `toFile`.
  const { file, length } = found.inFile as InFile
  const bytes = await bodies.get(file)
  if (!bytes) throw new EngineError('store_failed', 'The file of this result no longer exists. Scrape the page again.')
  return length === undefined ? bytes : decompressFrame({ frame: bytes, length })
}

async function openResult(found: Found, isEncoded: boolean): Promise<StoredResult> {
  // Cast: the stored value was serialized from a `Kept`.
  if (!(found instanceof Uint8Array)) return found as StoredResult
  return isEncoded ? openEncoded(found) : (parseStored(new TextDecoder().decode(found)) as StoredResult)
}

async function openEncoded(bytes: Uint8Array): Promise<StoredResult> {
  const { document, ...rest } = await openJson(bytes)
  if (document === undefined) return rest as StoredResult
  const opened = isEncodedJson(document) ? await openJson(document.json) : document
  return { ...rest, document: opened } as StoredResult
}

/** Returns a result as JSON bytes. The JSON of the document is shared with other consumers. */
async function bytesOf(team: string, outcome: Outcome): Promise<Uint8Array> {
  if ('error' in outcome) return Buffer.from(JSON.stringify({ team, ...outcome } satisfies StoredResult))
  const head = headOf(team, outcome.replay)
  const json = jsonOnce(outcome.document)
  if (typeof json === 'string') return Buffer.from(`${head}${json}}`)
  return joinInTurns([Buffer.from(head), ...(await json), Buffer.from('}')])
}

function headOf(team: string, replay: ReplayContext | undefined): string {
  const before = replay ? `"replay":${JSON.stringify(replay)},` : ''
  return `{"team":${JSON.stringify(team)},${before}"document":`
}

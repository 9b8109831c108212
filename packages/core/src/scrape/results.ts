import { parseKept } from '../lib/kept-json.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { EngineError } from '../errors/error.ts'
import { jsonText } from '../lib/json-text.ts'
import type { Store } from '../ports/store.ts'
import type { AnyDocument } from './document.ts'
import type { Caller } from './caller.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'

/** Finished scrapes, by id, for as long as results are kept. */
export interface Results {
  keep(caller: Pick<Caller, 'team' | 'id'>, outcome: Outcome): Promise<void>
  find(id: string, team: string): Promise<AnyDocument>
  /** How a live browser can be brought to where the scrape had ended; nothing when that was not kept. */
  findReplay(id: string, team: string): Promise<ReplayContext | undefined>
}

export type Outcome =
  | { readonly document: AnyDocument; readonly replay?: ReplayContext | undefined }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } }

/** What of a request says how its page came to be as it was. */
export type ReplayContext = Pick<
  ScrapeRequest,
  'url' | 'headers' | 'mobile' | 'blockAds' | 'skipTlsVerification' | 'location' | 'waitFor' | 'actions' | 'proxy'
>

export function replayContext(request: ReplayContext): ReplayContext {
  const { url, headers, mobile, blockAds, skipTlsVerification, location, waitFor, actions, proxy } = request
  return { url, headers, mobile, blockAds, skipTlsVerification, location, waitFor, actions, proxy }
}

type Kept = Outcome & { readonly team: string }

export function makeResults(store: Store, ttl: number, storeOf: (team: string) => Store = () => store): Results {
  const keyOf = (id: string): string => `scrape/${id}`
  const open = async (id: string, team: string): Promise<Extract<Outcome, { document: AnyDocument }>> => {
    const bytes = await store.get(keyOf(id))
    if (!(bytes instanceof Uint8Array)) {
      throw new EngineError('not_found', 'There is no scrape under this id, or it has expired.')
    }
    const kept = parseKept(new TextDecoder().decode(bytes)) as Kept
    if (kept.team !== team) throw new EngineError('forbidden', 'This scrape belongs to another team.')
    if ('error' in kept) throw new EngineError(kept.error.code, kept.error.message)
    return kept
  }
  return {
    // Kept as bytes: a store takes those as they are, and does not print them a second time.
    keep: ({ team, id }, outcome) => storeOf(team).set(keyOf(id), Buffer.from(textOf(team, outcome)), { ttl }),
    find: async (id, team) => (await open(id, team)).document,
    findReplay: async (id, team) => (await open(id, team)).replay,
  }
}

/** The same text as that of a `Kept`; that of the document is made once for all who want it. */
function textOf(team: string, outcome: Outcome): string {
  if ('error' in outcome) return JSON.stringify({ team, ...outcome } satisfies Kept)
  const replay = outcome.replay ? `"replay":${JSON.stringify(outcome.replay)},` : ''
  return `{"team":${JSON.stringify(team)},${replay}"document":${jsonText(outcome.document)}}`
}

// The plugin: what `engine.replays` is, and how the pictures of live browsers come to it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, timingSafeEqual } from 'node:crypto'

import { browserPort, defineFeature, definePlugin, missingPort, type FeatureKit } from '@harvestman/core/plugin'
import { EngineError, isRecord, type Sessions } from '@harvestman/ports'
import { makeSemaphore } from '@harvestman/ports/adapters'

import { capture, type CaptureOptions } from './capture.ts'
import { playlist } from './playlist.ts'
import { replayArchive, type KeptReplay } from './archive.ts'
import { segmentsOf, videoMaker, type VideoOf } from './video.ts'

/** Options of `sessionReplay`. */
export interface SessionReplayOptions {
  /** The most bytes of the pictures of a session; 100,000,000 when absent. */
  readonly bytes?: number | undefined
}

/** A tab of a session that was shown. Times are milliseconds from the start of the session. */
export interface ReplayedPage {
  readonly pageId: string
  /** The last address that it had. */
  readonly url: string
  readonly startTimeMs: number
  readonly endTimeMs: number
}

/** What is kept of a session. */
export interface Replay {
  readonly pages: readonly ReplayedPage[]
  /** The HLS playlist of a page. `urlOf` gives the address of a part: it needs the page, the part and the token. */
  playlist(pageId: string, urlOf: (part: PartOfVideo) => string): string
}

/** A part of the video of a page, by which a player asks for it. */
export interface PartOfVideo {
  readonly page: string
  /** `header`, or the number of a segment. */
  readonly part: string
  readonly token: string
}

/** The replays of an engine: `engine.replays`. */
export interface Replays {
  /** Finds what is kept of a live browser. Rejects with `not_found` when that is nothing. */
  get(id: string, call?: OfTeam): Promise<Replay>
  /** The video of a page as one MP4 file, segment by segment. */
  video(id: string, pageId: string, call?: OfTeam & WithSignal): AsyncGenerator<Uint8Array>
  /** For servers: a part of a video, for who has its token. */
  part(id: string, part: PartOfVideo, call?: WithSignal): Promise<Uint8Array>
}

interface OfTeam {
  /** Who asks. Teams never see each other's replays. */
  readonly team?: string | undefined
}

interface WithSignal {
  readonly signal?: AbortSignal | undefined
}

interface Session {
  readonly id: string
  readonly team: string
}

/** A session that is being opened, by the work that it is. */
interface Opening {
  end?: () => Promise<void>
  readonly begin: (live: CaptureOptions['live']) => Promise<() => Promise<void>>
}

const usualBytes = 100_000_000
const encodesWithin = 120_000

/** Keeps what live browsers show: `createEngine({ browser, plugins: [live({ sessions }), sessionReplay()] })`. */
export function sessionReplay({ bytes: most = usualBytes }: SessionReplayOptions = {}) {
  const current = new AsyncLocalStorage<Opening | undefined>()
  const archives = new WeakMap<Replays, (session: Session) => Opening>()
  const feature = defineFeature({
    name: 'replays',
    open: (kit) => {
      const value = openReplays(kit)
      archives.set(value, (session) => openingOf(session, kit, most))
      return value
    },
    around: async (value, { id, team, request }, run) => {
      const open = archives.get(value)
      const opening = isShown(request) ? open?.({ team, id }) : undefined
      try {
        return await current.run(opening, run)
      } finally {
        await opening?.end?.()
      }
    },
  })
  const watched = (plain: Sessions): Sessions => ({
    open: async (wish, signal) => {
      const live = await plain.open(wish, signal)
      const opening = current.getStore()
      if (opening) opening.end = await opening.begin(live)
      return live
    },
    close: () => plain.close(),
  })
  return definePlugin({
    name: 'session-replay',
    ports: ({ sessions }) => ({ sessions: sessions && ((guard) => watched(sessions(guard))) }),
    features: [feature],
  })
}

/** Live browsers say so in their request, unless it is not wished. */
function isShown(request: unknown): boolean {
  return isRecord(request) && 'recordSession' in request && request['recordSession'] !== false
}

function openingOf({ id, team }: Session, kit: FeatureKit, most: number): Opening {
  const token = randomBytes(24).toString('base64url')
  return {
    begin: (live) =>
      capture({
        ...{ live, most, now: () => kit.clock.now() },
        archive: replayArchive(kit.store).pictures(id, { team, token }, kit.keep.results),
        lost: (sentence) => kit.warn(`The replay of ${id} goes no further: ${sentence}.`),
      }),
  }
}

function openReplays(kit: FeatureKit): Replays {
  const archive = replayArchive(kit.store)
  const browser = () => kit.port(browserPort) ?? fail(missingPort(browserPort, 'The video of a session'))
  const maker = videoMaker({ archive, browser, ttl: kit.keep.results })
  // Encoding takes a core: one video at a time, and teams come in turns.
  const turns = makeSemaphore({ limit: 1, spare: 1 })
  const find = async (id: string, isFor: (replay: KeptReplay) => boolean): Promise<KeptReplay> => {
    const found = await archive.find(id)
    if (found && isFor(found)) return found
    throw new EngineError('not_found', 'There is no replay of this session, or not any more.')
  }
  const make = async (of: VideoOf, part: string, given?: AbortSignal): Promise<Uint8Array> => {
    const signal = AbortSignal.any([kit.signal, AbortSignal.timeout(encodesWithin), ...(given ? [given] : [])])
    const done = await turns.acquire(of.team, signal)
    try {
      return await (part === 'header' ? maker.header(of, signal) : maker.segment(of, Number(part), signal))
    } finally {
      done()
    }
  }
  return {
    get: async (id, { team = kit.team } = {}) => {
      const { pages, token } = await find(id, (replay) => replay.team === team)
      return {
        pages: pages.map(({ url, start, end }, at) => ({
          ...{ pageId: String(at), url, startTimeMs: start, endTimeMs: Math.max(end, start + 1) },
        })),
        playlist: (page, urlOf) => playlist(pageOf(pages, page), (part) => urlOf({ page, part: String(part), token })),
      }
    },
    video: async function* (id, pageId, { team = kit.team, signal } = {}) {
      const { pages } = await find(id, (replay) => replay.team === team)
      const page = pageOf(pages, pageId)
      const of = { id, team, page, number: Number(pageId) }
      yield make(of, 'header', signal)
      for (const at of segmentsOf(page).keys()) yield make(of, String(at), signal)
    },
    part: async (id, { page: pageId, part, token }, { signal } = {}) => {
      const { team, pages } = await find(id, (replay) => isSame(replay.token, token))
      const page = pageOf(pages, pageId)
      if (part !== 'header' && segmentsOf(page)[Number(part)] === undefined) throw noPage()
      return make({ id, team, page, number: Number(pageId) }, part, signal)
    },
  }
}

/** Takes as long whatever is given. */
function isSame(token: string, given: string): boolean {
  const [a, b] = [Buffer.from(token), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function pageOf<Page>(pages: readonly Page[], id: string): Page {
  return (/^\d{1,3}$/.test(id) ? pages[Number(id)] : undefined) ?? fail(noPage())
}

function noPage(): EngineError {
  return new EngineError('not_found', 'This session has no such page.')
}

function fail(error: unknown): never {
  throw error
}

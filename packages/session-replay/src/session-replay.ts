// The plugin, which adds `engine.replays` and captures the pictures of live browsers.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, timingSafeEqual } from 'node:crypto'

import { browserPort, defineFeature, definePlugin, missingPort, type FeatureKit } from '@harvestman/core/plugin'
import { EngineError, isRecord, type Sessions } from '@harvestman/ports'
import { makeSemaphore } from '@harvestman/toolbox/semaphore'

import { capture, type CaptureOptions } from './capture.ts'
import { playlist } from './playlist.ts'
import { replayArchive, type KeptReplay } from './archive.ts'
import { segmentsOf, videoMaker, type VideoOf } from './video.ts'

/** Options of `sessionReplay`. */
export interface SessionReplayOptions {
  /** Maximum size of a session's pictures, in bytes. Default: 100,000,000. */
  readonly bytes?: number | undefined
}

/** A tab of a session, for the time it was visible. Times are milliseconds from the start of the session. */
export interface ReplayedPage {
  readonly pageId: string
  /** The tab's last URL. */
  readonly url: string
  readonly startTimeMs: number
  readonly endTimeMs: number
}

/** The replay of a session. */
export interface Replay {
  readonly pages: readonly ReplayedPage[]
  /** Returns the HLS playlist of a page. `urlOf` must return a URL that contains the page, the part and the token. */
  playlist(pageId: string, urlOf: (part: PartOfVideo) => string): string
}

/** Identifies a part of a page's video, as requested by a player. */
export interface PartOfVideo {
  readonly page: string
  /** `header`, or the number of a segment. */
  readonly part: string
  readonly token: string
}

/** The replays of an engine: `engine.replays`. */
export interface Replays {
  /** Returns the replay of a live browser. Rejects with `not_found` if there is none, or it has expired. */
  get(id: string, call?: OfTeam): Promise<Replay>
  /** Returns the video of a page as one MP4 file, segment by segment. */
  video(id: string, pageId: string, call?: OfTeam & WithSignal): AsyncGenerator<Uint8Array>
  /** For servers: returns a part of a video to a caller with its token. Rejects with `not_found` if the token is wrong. */
  part(id: string, part: PartOfVideo, call?: WithSignal): Promise<Uint8Array>
}

interface OfTeam {
  /** Team of the caller. Teams never see each other's replays. */
  readonly team?: string | undefined
}

interface WithSignal {
  readonly signal?: AbortSignal | undefined
}

interface Session {
  readonly id: string
  readonly team: string
}

/** A session that is being opened, and how to start capturing it. */
interface Opening {
  end?: () => Promise<void>
  readonly begin: (live: CaptureOptions['live']) => Promise<() => Promise<void>>
}

const defaultBytes = 100_000_000
const encodesWithin = 120_000

/**
 * Creates a plugin that stores what live browsers show, by default 100 MB of each, unless `recordSession` of the request is
 * false: `createEngine({ browser, plugins: [live({ sessions }), sessionReplay()] })`.
 */
export function sessionReplay({ bytes: most = defaultBytes }: SessionReplayOptions = {}) {
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

/** Returns whether a request opens a live browser and does not have `recordSession: false`. */
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
  // Encoding takes a whole CPU core, so only one segment is encoded at a time, in turns between teams.
  const turns = makeSemaphore({ limit: 1, spare: 1 })
  const find = async (id: string, isFor: (replay: KeptReplay) => boolean): Promise<KeptReplay> => {
    const found = await archive.find(id)
    if (found && isFor(found)) return found
    throw new EngineError('not_found', 'This session has no replay, or the replay has expired.')
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

/** Compares tokens in constant time. */
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

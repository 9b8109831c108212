// Creates the video of a page: its header and a segment for each ten seconds.
import { EngineError, type Browser } from '@harvestman/ports'

import { windowLength, type Picture, type ReplayPage } from './capture.ts'
import { encode } from './encode.ts'
import { mp4Fragment, mp4Header } from './mp4.ts'
import type { ReplayArchive } from './archive.ts'

/** A page of a replay, with the location of its pictures. */
export interface VideoOf {
  readonly id: string
  /** The team, between which encoding takes turns. */
  readonly team: string
  readonly number: number
  readonly page: ReplayPage
}

/** Creates the parts of videos. Each part is encoded once and then stored. */
export interface VideoMaker {
  /** Returns the header, which a player needs before the first segment. */
  header(of: VideoOf, signal: AbortSignal): Promise<Uint8Array>
  segment(of: VideoOf, segment: number, signal: AbortSignal): Promise<Uint8Array>
}

/** Returns the durations of a page's segments, in milliseconds: each 10 seconds, except for the last one. */
export function segmentsOf({ start, end }: Pick<ReplayPage, 'start' | 'end'>): readonly number[] {
  const length = Math.max(1, end - start)
  return Array.from({ length: Math.ceil(length / windowLength) }, (_, at) =>
    Math.min(windowLength, length - at * windowLength),
  )
}

export interface VideoMakerOptions {
  readonly archive: ReplayArchive
  readonly browser: () => Browser
  readonly ttl: number
}

/**
 * Creates the encoder of replays as MP4 segments. Each is encoded once and stored in the archive for `ttl` milliseconds.
 * Rejects with `bad_response` if the browser has no H.264 encoder, and `not_found` if the pictures have expired.
 */
export function videoMaker({ archive, browser, ttl }: VideoMakerOptions): VideoMaker {
  const segment: VideoMaker['segment'] = (of, at, signal) =>
    archive.video(of.id, `${of.number}/${at}`, ttl, async () => {
      const { samples } = await encodeWindow(of, at, signal)
      return mp4Fragment(at + 1, at * windowLength, samples)
    })
  const encodeWindow = async (of: VideoOf, at: number, signal: AbortSignal) => {
    const { page } = of
    const pictures = await picturesOf(archive, of, at)
    const { width, height } = page
    const { samples, description } = await encode(browser(), { width, height, pictures }, signal)
    const end = at * windowLength + (segmentsOf(page)[at] ?? 0)
    return {
      description,
      samples: samples.map((sample, index) => ({
        ...sample,
        duration: Math.max(1, (pictures[index + 1]?.at ?? end) - (pictures[index]?.at ?? end)),
      })),
    }
  }
  return {
    segment,
    header: (of, signal) =>
      archive.video(of.id, `${of.number}/header`, ttl, async () => {
        const { description } = await encodeWindow(of, 0, signal)
        return mp4Header({ ...of.page, description })
      }),
  }
}

/**
 * Returns the pictures of a segment, with times relative to the start of the video. The first is the picture that was already
 * visible when the segment starts.
 */
async function picturesOf(
  archive: ReplayArchive,
  { id, number, page }: VideoOf,
  segment: number,
): Promise<readonly Picture[]> {
  const begin = segment * windowLength
  const own = page.windows.includes(segment) ? await archive.window(id, number, segment) : []
  const shown = own.map(({ at, jpeg }) => ({ at: Math.max(begin, at - page.start), jpeg }))
  if (shown[0]?.at === begin) return shown
  const before = page.windows.filter((window) => window < segment).toSorted((a, b) => b - a)[0]
  const last = before === undefined ? shown[0] : (await archive.window(id, number, before)).at(-1)
  if (!last) throw new EngineError('not_found', 'The pictures of this session are gone.')
  return [{ at: begin, jpeg: last.jpeg }, ...shown]
}

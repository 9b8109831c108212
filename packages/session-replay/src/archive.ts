// Stores replays: lists of pages, pictures by time window, and the encoded video.
import { isRecord, type Store } from '@harvestman/ports'

import type { Picture, PictureArchive, ReplayPage } from './capture.ts'
import { replayKeys } from './keys.ts'

/** The stored replay of a session. */
export interface KeptReplay {
  readonly team: string
  readonly pages: readonly ReplayPage[]
  /** Token that gives access to the video segments. */
  readonly token: string
}

/** The replays in a store. */
export interface ReplayArchive {
  /** Returns the archive to which the pictures of a session are added. */
  pictures(id: string, of: Omit<KeptReplay, 'pages'>, ttl: number): PictureArchive
  find(id: string): Promise<KeptReplay | undefined>
  window(id: string, page: number, window: number): Promise<readonly Picture[]>
  /** Returns a part of a video, from the store or else from `make`, whose result is then stored. */
  video(id: string, part: string, ttl: number, make: () => Promise<Uint8Array>): Promise<Uint8Array>
}

/**
 * Creates an archive of replays in a store. For what is not stored or has expired, `find` resolves to `undefined` and `window`
 * to an empty list; `video` stores the result of `make`. Each `ttl` is in milliseconds. Calls reject if the store fails;
 * `video` also as `make` does.
 */
export function replayArchive(store: Store): ReplayArchive {
  const keyOf = (...parts: readonly (number | string)[]): string => replayKeys.replay(JSON.stringify(parts))
  return {
    pictures: (id, of, ttl) => ({
      add: (page, window, pictures) => store.set(keyOf(id, page, window), packed(pictures), { ttl }),
      list: (pages) => store.set(keyOf(id), { ...of, pages: pages.map((page) => ({ ...page })) }, { ttl }),
    }),
    find: async (id) => replayOf(await store.get(keyOf(id))),
    window: async (id, page, window) => unpacked(await store.get(keyOf(id, page, window))),
    video: async (id, part, ttl, make) => {
      const stored = await store.get(keyOf(id, 'video', part))
      if (stored instanceof Uint8Array) return stored
      const made = await make()
      await store.set(keyOf(id, 'video', part), made, { ttl })
      return made
    },
  }
}

const headBytes = 8

/** Concatenates pictures, each with its time and length before it. */
function packed(pictures: readonly Picture[]): Uint8Array {
  return Buffer.concat(
    pictures.flatMap(({ at, jpeg }) => {
      const head = Buffer.alloc(headBytes)
      head.writeUInt32BE(Math.max(0, Math.round(at)), 0)
      head.writeUInt32BE(jpeg.length, 4)
      return [head, jpeg]
    }),
  )
}

function unpacked(value: unknown): readonly Picture[] {
  if (!(value instanceof Uint8Array)) return []
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const pictures: Picture[] = []
  for (let place = 0; place + headBytes <= bytes.length;) {
    const [at, length] = [bytes.readUInt32BE(place), bytes.readUInt32BE(place + 4)]
    pictures.push({ at, jpeg: bytes.subarray(place + headBytes, place + headBytes + length) })
    place += headBytes + length
  }
  return pictures
}

function replayOf(value: unknown): KeptReplay | undefined {
  if (!isRecord(value) || !Array.isArray(value['pages'])) return undefined
  const { team, token } = value
  const pages: readonly unknown[] = value['pages']
  if (typeof team !== 'string' || typeof token !== 'string') return undefined
  return pages.every(isPage) ? { team, token, pages } : undefined
}

function isPage(value: unknown): value is ReplayPage {
  if (!isRecord(value) || typeof value['url'] !== 'string' || !Array.isArray(value['windows'])) return false
  return ['start', 'end', 'width', 'height'].every((name) => typeof value[name] === 'number')
}

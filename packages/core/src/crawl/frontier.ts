import { fifo, type Fifo } from '@harvestman/toolbox/fifo'
import { addressPack, unpackUrls, type AddressPack, type FoundUrl, type Waiting } from '@harvestman/site'

/** Storage for URLs that do not fit in memory. Each numbered part is written once and read once. */
export interface Spill {
  /** The bytes are reused by the caller after the promise has resolved. */
  write(part: number, bytes: Uint8Array): Promise<void>
  read(part: number): Promise<Uint8Array>
}

/**
 * The waiting URLs of one crawl, first in, first out for each host, so that a crawl is breadth-first. The scheduler decides
 * when a host may be visited; `take` only returns the URL.
 */
export interface Frontier {
  /** Adds a URL. Returns whether it can be taken now; otherwise `refill` will report its host. */
  add(number: number, address: FoundUrl): boolean
  take(host: string): Waiting | undefined
  /** Returns a taken URL to the queue, after those in memory. */
  putBack(waiting: Waiting): void
  /** True if few URLs are left in memory and more are stored elsewhere. */
  readonly wantsRefill: boolean
  /**
   * Loads the oldest part into memory. Resolves to the number of URLs that can now be taken, by host. May be called earlier
   * than `wantsRefill` asks, if every host in memory is delayed.
   */
  refill(): Promise<ReadonlyMap<string, number>>
  /** Puts stored parts before everything that is added. */
  restore(parts: readonly AddressReader[]): void
}

/** Reads a part of the URLs found. */
export type AddressReader = () => Promise<Uint8Array>

export interface FrontierOptions {
  /** Storage for more than `most` URLs. Without it, all of them stay in memory. */
  readonly spill?: Spill | undefined
  /** Maximum number of URLs in memory. */
  readonly most?: number
  readonly partLength?: number
  /** Returns whether a URL read from storage is already finished. Called once per URL. */
  readonly isDone?: (number: number) => boolean
}

const stillWaits = (): boolean => false

/**
 * Creates an empty frontier. URLs beyond `most` (default: 50,000) go to `spill`; without it, all stay in memory. URLs whose
 * numbers `isDone` accepts are not loaded again. `refill` rejects if a part cannot be read, which then stays first.
 */
export function makeFrontier(options: FrontierOptions = {}): Frontier {
  const { spill, most = 50_000, partLength = 2000, isDone = stillWaits } = options
  const lanes = makeLanes()
  const parts = spill && spilledParts(spill)
  // URLs added after a part was written out. They must not overtake it.
  let tail = addressPack()
  let refilling: Promise<ReadonlyMap<string, number>> | undefined

  const isElsewhere = (): boolean => tail.count > 0 || parts?.isEmpty === false
  const bringBack = async (): Promise<ReadonlyMap<string, number>> => {
    const oldest = await parts?.read()
    const back = unpackUrls(oldest ?? tail.bytes())
    if (!oldest) tail.empty()
    return lanes.pushAll(back.filter(({ number }) => !isDone(number)))
  }

  return {
    get wantsRefill() {
      return isElsewhere() && lanes.size <= most / 2 && refilling === undefined
    },
    add(number, address) {
      if (!parts || (lanes.size < most && !isElsewhere())) {
        const [url, host, depth, isExternal] = address
        lanes.push({ number, url, host, depth, isExternal: isExternal === 1 })
        return true
      }
      tail.add(number, address)
      if (tail.count >= partLength) tail = parts.write(tail)
      return false
    },
    take: lanes.take,
    putBack: lanes.push,
    refill() {
      refilling ??= bringBack().finally(() => (refilling = undefined))
      return refilling
    },
    restore: (earlier) => parts?.restore(earlier),
  }
}

/** URLs in memory, in one list per host. */
function makeLanes() {
  const lanes = new Map<string, Fifo<Waiting>>()
  let size = 0

  const push = (waiting: Waiting): void => {
    const lane = lanes.get(waiting.host) ?? fifo<Waiting>()
    lanes.set(waiting.host, lane)
    lane.push(waiting)
    size += 1
  }
  return {
    get size() {
      return size
    },
    push,
    pushAll(all: readonly Waiting[]): Map<string, number> {
      const counts = new Map<string, number>()
      for (const waiting of all) {
        push(waiting)
        counts.set(waiting.host, (counts.get(waiting.host) ?? 0) + 1)
      }
      return counts
    },
    take(host: string): Waiting | undefined {
      const lane = lanes.get(host)
      const waiting = lane?.shift()
      if (!waiting) return undefined
      size -= 1
      if (lane?.size === 0) lanes.delete(host)
      return waiting
    },
  }
}

/** A first-in-first-out list of stored parts. A part that cannot be written stays in memory, so no URL is lost. */
function spilledParts(spill: Spill) {
  const unwritten = new Map<number, AddressPack>()
  const restored: AddressReader[] = []
  // Reused because the buffer is large, and V8 would be slow to free a new one for each part.
  let spare: AddressPack | undefined
  let first = 0
  let next = 0

  return {
    get isEmpty() {
      return restored.length === 0 && first === next
    },
    restore: (parts: readonly AddressReader[]): void => void restored.push(...parts),
    /** Writes a part. Returns an empty buffer for the next one. */
    write(pack: AddressPack): AddressPack {
      const number = next
      next += 1
      unwritten.set(number, pack)
      const written = (): void => {
        if (unwritten.delete(number)) spare = pack
      }
      spill.write(number, pack.bytes()).then(written, () => undefined)
      const empty = spare ?? addressPack()
      empty.empty()
      spare = undefined
      return empty
    },
    /** Reads the oldest part. If that fails, it stays first for the next attempt. */
    async read(): Promise<Uint8Array | undefined> {
      const [oldest] = restored
      if (oldest) {
        const part = await oldest()
        restored.shift()
        return part
      }
      if (first === next) return undefined
      const part = unwritten.get(first)?.bytes() ?? (await spill.read(first))
      unwritten.delete(first)
      first += 1
      return part
    },
  }
}

import { fifo, type Fifo } from '@harvestman/ports/adapters'
import { addressPack, unpackAddresses, type AddressPack, type FoundAddress, type Waiting } from '@harvestman/site'

/** Storage for addresses that memory has no place for: numbered parts, each written once and read once. */
export interface Spill {
  /** The bytes are others when it has resolved. */
  write(part: number, bytes: Uint8Array): Promise<void>
  read(part: number): Promise<Uint8Array>
}

/**
 * The waiting addresses of one crawl, first come first served for each host; so a crawl goes by breadth. When a host may
 * be visited is not known here: the scheduler says so, and `take` gives the address.
 */
export interface Frontier {
  /** Adds an address. Returns whether it can be taken now; if not, `refill` will tell of its host. */
  add(number: number, address: FoundAddress): boolean
  take(host: string): Waiting | undefined
  /** Gives back what was taken, to be taken once more after what is in memory. */
  putBack(waiting: Waiting): void
  /** True when memory has run low while there is more elsewhere. */
  readonly wantsRefill: boolean
  /**
   * Brings the oldest part back, and tells how many addresses of which host can be taken now. It may be called before
   * it is wanted, when the hosts in memory all rest.
   */
  refill(): Promise<ReadonlyMap<string, number>>
  /** Has these parts before all that is added. */
  restore(parts: readonly AddressReader[]): void
}

/** Reads a part of the addresses that were found. */
export type AddressReader = () => Promise<Uint8Array>

export interface FrontierOptions {
  /** Storage for addresses beyond `most`; without it everything stays in memory. */
  readonly spill?: Spill | undefined
  /** Addresses in memory before the first is spilled. */
  readonly most?: number
  readonly partLength?: number
  /** Says of an address that was read back whether it waits no more. It is asked once. */
  readonly isDone?: (number: number) => boolean
}

const stillWaits = (): boolean => false

export function makeFrontier(options: FrontierOptions = {}): Frontier {
  const { spill, most = 50_000, partLength = 2000, isDone = stillWaits } = options
  const lanes = makeLanes()
  const parts = spill && spilledParts(spill)
  // Addresses after a spilled part must not overtake it.
  let tail = addressPack()
  let refilling: Promise<ReadonlyMap<string, number>> | undefined

  const isElsewhere = (): boolean => tail.count > 0 || parts?.isEmpty === false
  const bringBack = async (): Promise<ReadonlyMap<string, number>> => {
    const oldest = await parts?.read()
    const back = unpackAddresses(oldest ?? tail.bytes())
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

/** Addresses in memory: a list for each host. */
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

/** A first-in-first-out list of parts. One that could not be written stays in memory: an address is never lost. */
function spilledParts(spill: Spill) {
  const unwritten = new Map<number, AddressPack>()
  const restored: AddressReader[] = []
  // Large, and needed over and over: a new one for each part would be left to V8, which is in no hurry.
  let spare: AddressPack | undefined
  let first = 0
  let next = 0

  return {
    get isEmpty() {
      return restored.length === 0 && first === next
    },
    restore: (parts: readonly AddressReader[]): void => void restored.push(...parts),
    /** Gives an empty one for the next part. */
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
    /** A part that cannot be read stays the first, for the next try. */
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

// Reading pages allocates many short-lived objects. V8 lets its young generation grow to 128 MB for them, and the old one to a
// multiple of its live objects; nearly all of that is garbage. Both can be limited at run time, but only for the whole process.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/** Access to V8. */
export interface Heap {
  /** Returns the bytes of each half of the young generation, and of the objects in the old one. */
  measure(): { readonly young: number; readonly old: number }
  setFlag(flag: string): void
}

/** Limits the garbage on the heap of the main thread. */
export interface HeapGrowth {
  /** Limits it for the next 5 seconds. Call it before work that allocates much. */
  limit(): void
}

/** Bytes at which each of the two halves of the young generation stops growing. Loading this package takes it there. */
const maxYoung = 8 * 1_048_576
/** Bytes of objects in the old generation up to which it is small: collecting it often costs little. */
const maxSmall = 128 * 1_048_576
/** Growth of the old generation between two collections, in percent. 0 lets V8 decide. */
const growth = { small: 20, large: 50, default: 0 }
const duration = 5_000

// Worker threads that start while growth is off get a larger young generation, because theirs cannot grow either.
const fixedYoung = ['--semi-space-growth-factor=1', '--min-semi-space-size=4']
const defaultYoung = ['--semi-space-growth-factor=2', '--min-semi-space-size=0']

/**
 * Creates the limit of a heap. The young generation stops growing at two halves of 8 MB. Between two collections, the old one grows by 20 %,
 * or by 50 % if it has more than 128 MB of objects. V8's defaults are restored 5 seconds after the last call.
 */
export function makeHeapGrowth({ measure, setFlag }: Heap): HeapGrowth {
  let timer: NodeJS.Timeout | undefined
  let isFixed = false
  let percent = growth.default
  const setYoung = (toFixed: boolean): void => {
    if (isFixed === toFixed) return
    isFixed = toFixed
    for (const flag of toFixed ? fixedYoung : defaultYoung) setFlag(flag)
  }
  const setOld = (toPercent: number): void => {
    if (percent === toPercent) return
    percent = toPercent
    setFlag(`--heap-growing-percent=${percent}`)
  }
  const reset = (): void => {
    timer = undefined
    setYoung(false)
    setOld(growth.default)
  }
  return {
    limit: () => {
      const { young, old } = measure()
      setYoung(young >= maxYoung)
      setOld(old <= maxSmall ? growth.small : growth.large)
      timer = timer?.refresh() ?? setTimeout(reset, duration).unref()
    },
  }
}

const ownFlags = /--(?:semi[-_]space[-_]growth|min[-_]semi[-_]space|heap[-_]growing)/

/**
 * Returns whether the flags may be changed: on the main thread of Node, unless one of them is on the command line or in
 * `NODE_OPTIONS`. A worker thread gets its limits from the code that starts it.
 */
function mayChangeFlags(): boolean {
  const { versions, execArgv, env } = process
  if (!isMainThread || 'bun' in versions || 'deno' in versions) return false
  return ![...execArgv, env['NODE_OPTIONS'] ?? ''].some((option) => ownFlags.test(option))
}

function measureHeap(): ReturnType<Heap['measure']> {
  const spaces = getHeapSpaceStatistics()
  const spaceOf = (name: string) => spaces.find(({ space_name }) => space_name === name)
  return { young: spaceOf('new_space')?.space_size ?? 0, old: spaceOf('old_space')?.space_used_size ?? 0 }
}

/** The limit of this process, which its engines share. Has no effect where flags may not be changed. */
export const heapGrowth: HeapGrowth = mayChangeFlags()
  ? makeHeapGrowth({ measure: measureHeap, setFlag: setFlagsFromString })
  : { limit: () => undefined }

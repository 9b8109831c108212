// What the store is asked for, by the kind of its keys.

export interface StoreUse {
  readonly kind: string
  readonly calls: number
  readonly bytes: number
  /** Of one call. */
  readonly mostBytes: number
  /** Updates that found that another process had written meanwhile. */
  readonly again: number
}

export function countUses() {
  const all = new Map<string, { calls: number; bytes: number; mostBytes: number; again: number }>()
  const of = (key: string) => {
    const kind = kindOf(key)
    const known = all.get(kind) ?? { calls: 0, bytes: 0, mostBytes: 0, again: 0 }
    all.set(kind, known)
    return known
  }
  return {
    add: (key: string, calls: number, bytes: number): void => {
      const use = of(key)
      use.calls += calls
      use.bytes += bytes
      use.mostBytes = Math.max(use.mostBytes, bytes)
    },
    tryAgain: (key: string): void => void (of(key).again += 1),
    all: (): readonly StoreUse[] =>
      [...all].map(([kind, use]) => ({ kind, ...use })).toSorted((one, other) => other.bytes - one.bytes),
  }
}

/** Of `job/1/log/7`: `job log`; of `shares/12`: `shares`. */
function kindOf(key: string): string {
  const [kind = '', , part = ''] = key.split('/')
  return /^[a-z]+$/.test(part) ? `${kind} ${part}` : kind
}

import type { Clock, Json, KeepOptions, KeptEntry, Store, Value } from '@harvestman/ports'
import { memoryStore } from '@harvestman/core'

type Make = (given: { readonly clock: Clock }) => Store
type Break = (store: Store, clock: Clock) => Partial<Store>

const later = (options: KeepOptions | undefined, by: number): KeepOptions | undefined =>
  options?.ttl === undefined ? options : { ttl: options.ttl + by }

const isBig = (value: Value) => value instanceof Uint8Array && value.length > 1_000_000

const onKeys = (store: Store, turn: (key: string) => string): Partial<Store> => ({
  get: (key) => store.get(turn(key)),
  set: (key, value, options) => store.set(turn(key), value, options),
  update: (key, change, options) => store.update(turn(key), change, options),
  delete: (key) => store.delete(turn(key)),
})

/** Known ways in which stores break the contract, one rule each. */
const breaks = {
  'lost update': (store) => ({
    async update(key, change, options) {
      const value = change(await store.get(key))
      if (value === undefined) await store.delete(key)
      else await store.set(key, value, options)
      return value
    },
  }),
  'believes that a key is new': (store) => ({
    update: (key, change, options) => store.update(key, (old) => change(options?.isNew ? undefined : old), options),
  }),
  'late ttl': (store) => ({ set: (key, value, options) => store.set(key, value, later(options, 1)) }),
  'early ttl': (store) => ({ set: (key, value, options) => store.set(key, value, later(options, -1)) }),
  'update forgets the ttl': (store) => ({
    async update(key, change, options) {
      const value = await store.update(key, change, options)
      if (value !== undefined && !options) await store.set(key, value)
      return value
    },
  }),
  'update sees what has expired': (store) => {
    const seen = new Map<string, Value>()
    return {
      async set(key, value, options) {
        await store.set(key, value, options)
        seen.set(key, value)
      },
      async update(key, change, options) {
        return store.update(key, (old) => change(old ?? seen.get(key)), options)
      },
      async delete(key) {
        seen.delete(key)
        await store.delete(key)
      },
    }
  },
  'swallowed write': (store) => ({
    set: async (key, value, options) => (isBig(value) ? undefined : store.set(key, value, options)),
  }),
  'shared mutable value': (store) => {
    const shared = new Map<string, Value>()
    return {
      async set(key, value, options) {
        await store.set(key, value, options)
        shared.set(key, value)
      },
      async get(key) {
        const value = await store.get(key)
        return value === undefined ? undefined : (shared.get(key) ?? value)
      },
    }
  },
  'delete is not in step with update': (store) => ({
    async update(key, change, options) {
      const old = await store.get(key)
      await new Promise(setImmediate)
      return store.update(key, () => change(old), options)
    },
  }),
  'undefined is kept': (store) => ({
    update: (key, change, options) => store.update(key, (old) => change(old) ?? null, options),
  }),
  'a change that throws deletes': (store) => ({
    async update(key, change, options) {
      try {
        return await store.update(key, change, options)
      } catch (error) {
        await store.delete(key)
        throw error
      }
    },
  }),
  'a change that throws is swallowed': (store) => ({
    update: (key, change, options) => store.update(key, change, options).catch(() => store.get(key)),
  }),
  'writes what did not change': (store) => ({
    async update(key, change, options) {
      const value = await store.update(key, change, options)
      if (value !== undefined && options) await store.set(key, value, options)
      return value
    },
  }),
  'update resolves to the old value': (store) => ({
    async update(key, change, options) {
      let before: Value | undefined
      await store.update(
        key,
        (old) => {
          before = old
          return change(old)
        },
        options,
      )
      return before
    },
  }),
  'null is absent': (store) => ({ get: async (key) => (await store.get(key)) ?? undefined }),
  'bytes become JSON': (store) => ({
    set: (key, value, options) => store.set(key, value instanceof Uint8Array ? [...value] : value, options),
  }),
  'the whole buffer is kept': (store) => ({
    set: (key, value, options) =>
      store.set(key, value instanceof Uint8Array ? new Uint8Array(value.buffer) : value, options),
  }),
  'what is not JSON is swallowed': (store) => ({
    set: (key, value, options) => store.set(key, value, options).catch(() => undefined),
  }),
  'keys are folded': (store) => onKeys(store, (key) => key.toLowerCase()),
  'keys are cut at a nul': (store) => onKeys(store, (key) => key.split('\0')[0] ?? ''),
  'delete wants the key to be there': (store) => ({
    async delete(key) {
      if ((await store.get(key)) === undefined) throw new Error(`There is no "${key}".`)
      await store.delete(key)
    },
  }),
  'many are given in any order': (store) => ({
    getMany: async (keys) => (await store.getMany?.([...keys].sort())) ?? [],
  }),
  'closing cuts off what is pending': (store) => {
    let isOpen = true
    return {
      async set(key, value, options) {
        await new Promise(setImmediate)
        if (!isOpen) throw new Error('closed')
        await store.set(key, value, options)
      },
      async close() {
        isOpen = false
        await store.close()
      },
    }
  },
  'works on after closing': (store) => ({ close: () => Promise.resolve(), reach: store.reach }),
  'the first of several sets wins': (store) => {
    const busy = new Set<string>()
    return {
      async set(key, value, options) {
        if (busy.has(key)) return
        busy.add(key)
        await new Promise(setImmediate)
        busy.delete(key)
        await store.set(key, value, options)
      },
    }
  },
  'what is added replaces': (store) => ({ add: (key, items, options) => store.set(key, items, options) }),
  'add forgets what others do': (store) => ({
    async add(key, items, options) {
      const old = ((await store.get(key)) as Json[] | undefined) ?? []
      await store.set(key, [...old, ...items], options)
    },
  }),
  'add renews the ttl': (store) => ({
    async add(key, items, options) {
      await store.add?.(key, items, options ?? { ttl: 1000 })
    },
  }),
  'anything is added to': (store) => ({
    async add(key, items, options) {
      await store.update(key, (old) => [...(Array.isArray(old) ? (old as Json[]) : []), ...items], options)
    },
  }),
  'watchers are told nothing': () => ({ watch: async () => async () => undefined }),
  'watchers are told of sets alone': (store) => {
    const watchers = new Map<string, () => void>()
    return {
      watch: async (key, changed) => (watchers.set(key, changed), async () => void watchers.delete(key)),
      async set(key, value, options) {
        await store.set(key, value, options)
        watchers.get(key)?.()
      },
    }
  },
  'watchers cannot stop': (store) => ({
    async watch(key, changed) {
      await store.watch?.(key, changed)
      return async () => undefined
    },
  }),
  'a list is in no order': (store) => ({
    list: async (prefix, options) => {
      const [first, second, ...rest] = await store.list(prefix, options)
      return first && second ? [second, first, ...rest] : await store.list(prefix, options)
    },
  }),
  'a list ends early': (store) => ({
    list: (prefix, options) => store.list(prefix, { ...options, limit: Math.min(options.limit, 50) }),
  }),
  'a list gives more than it was asked for': (store) => ({
    list: (prefix, options) => store.list(prefix, { ...options, limit: options.limit + 1 }),
  }),
  'a list has what was set alone': (store) => {
    const updated = new Set<string>()
    return {
      update: (key, change, options) => (updated.add(key), store.update(key, change, options)),
      list: async (prefix, options) =>
        (await store.list(prefix, options)).filter(({ key }) => !updated.has(key) || !key.startsWith('list/updated')),
    }
  },
  'a page of a list has holes': (store, clock) => {
    const ends = new Map<string, number>()
    return {
      async set(key, value, options) {
        ends.set(key, clock.now() + (options?.ttl ?? Infinity))
        await store.set(key, value, options?.ttl === 10 ? { ttl: 10_000 } : options)
      },
      list: async (prefix, options) =>
        (await store.list(prefix, options)).filter(({ key }) => (ends.get(key) ?? Infinity) > clock.now()),
    }
  },
  'each write is a generation': (store) => {
    let writes = 0
    return {
      generation: () => writes,
      update: (...given) => ((writes += 1), store.update(...given)),
    }
  },
  'a scan gives all keys': (store) => ({ scan: () => store.scan?.('') ?? nothing() }),
  'a scan gives the first keys only': (store) => ({
    async *scan(beginning) {
      for await (const entries of store.scan?.(beginning) ?? nothing()) return void (yield entries)
    },
  }),
} as const satisfies Record<string, Break>

async function* nothing(): AsyncGenerator<readonly KeptEntry[]> {}

/** The name of a rule that a store can break. */
export type BrokenKind = keyof typeof breaks

/** The names of all rules that a store can break. */
export const brokenKinds = Object.keys(breaks) as readonly BrokenKind[]

/** Creates stores that break one rule, to show that a contract, or a part of an engine, notices. */
export function brokenStore(kind: BrokenKind): Make {
  const spoil: Break = breaks[kind]
  return ({ clock }) => {
    const store = memoryStore({ clock })
    return { ...store, ...spoil(store, clock) }
  }
}

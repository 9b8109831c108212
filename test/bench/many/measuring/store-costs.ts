// What calls of a store cost its server, asked through the adapter that ships.
import { cpuOf } from './processes.ts'
import type { Backend } from './backends.ts'

export interface MeasuredStore {
  /** There and back, in milliseconds. On one machine there is no network in it. */
  readonly roundTrip: number
  /** Of the server, in milliseconds of a processor: for a read or a write, an `update`, one key more, a megabyte. */
  readonly call: number
  readonly update: number
  readonly key: number
  readonly megabyte: number
  /** Milliseconds that an `update` takes beyond a round trip: for more of them, or until a disk has it. */
  readonly write: number
}

const atOnce = 32
const manyKeys = 256
const large = 1_000_000

export async function measureStore(backend: Backend, calls: number): Promise<MeasuredStore> {
  const store = backend.openStore()
  const small = { text: 'x'.repeat(380) }
  const keyOf = (number: number): string => `measured/${number % manyKeys}`
  const costOf = (count: number, work: (number: number) => Promise<unknown>): Promise<number> =>
    serverCost(backend, count, work)
  for (let number = 0; number < manyKeys; number += 1) await store.set(keyOf(number), small)
  await costOf(calls / 4, (number) => store.get(keyOf(number)))

  const set = await costOf(calls, (number) => store.set(keyOf(number), small))
  const get = await costOf(calls, (number) => store.get(keyOf(number)))
  const keys = Array.from({ length: manyKeys }, (_, number) => keyOf(number))
  const many = await costOf(calls / 16, () => store.getMany?.(keys) ?? Promise.resolve())
  const bytes = new Uint8Array(large).fill(97)
  const megabyte = await costOf(calls / 80, (number) => store.set(`measured/bytes/${number % 8}`, bytes))
  const change = (old: unknown): { text: string; number: number } => ({
    ...(old as typeof small),
    number: Math.random(),
  })
  const update = await costOf(calls, (number) => store.update(keyOf(number), change))
  const roundTrip = await quickTime(calls / 8, (number) => store.get(keyOf(number)))
  const updating = await quickTime(calls / 8, (number) => store.update(keyOf(number), change))
  await store.close()
  const call = (set + get) / 2
  const key = Math.max((many - get) / (manyKeys - 1), 0)
  return { roundTrip, call, update, key, megabyte, write: Math.max(updating - roundTrip, 0) }
}

/** Milliseconds of the processors of the server, for one. */
async function serverCost(
  backend: Backend,
  count: number,
  work: (number: number) => Promise<unknown>,
): Promise<number> {
  const pids = backend.pids()
  const before = cpuOf(pids)
  let next = 0
  const go = async (): Promise<void> => {
    while (next < count) await work((next += 1))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, go))
  return (cpuOf(pids) - before) / count
}

/** Milliseconds of one after the other: of the quick ones, because the slow ones waited for other work of the machine. */
async function quickTime(count: number, work: (number: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let number = 0; number < count; number += 1) {
    const begin = performance.now()
    await work(number)
    times.push(performance.now() - begin)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 50)] ?? 0
}

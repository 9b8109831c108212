import type { Clock } from '../ports/clock.ts'
import type { KeepOptions, Store } from '../ports/store.ts'
import { layout } from '../records/layout.ts'
import {
  addTo,
  dueIn,
  emptyOutbox,
  isQuiet,
  nextTime,
  revive,
  roomIn,
  recordDelivery,
  type Outbox,
  type Notice,
} from './outbox.ts'
import type { Delivery } from './send.ts'

/** Where messages come from: all of them can be read again at any time, in their order. */
export interface Source {
  /** Some messages after one, and up to where there are no others. `isEnd`: there will be no more after these. */
  after(
    id: string | undefined,
    most: number,
  ): Promise<{ readonly messages: readonly Notice[]; readonly upTo: string | undefined; readonly isEnd: boolean }>
  /** Resolves when there may be more. */
  changed(signal: AbortSignal): Promise<void>
}

export interface DeliverOptions {
  readonly source: Source
  readonly send: (id: string, signal: AbortSignal) => Promise<Delivery>
  readonly store: Store
  readonly name: string
  readonly keep: () => KeepOptions
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Resolves when it may have been asked that messages be sent again. */
  readonly asked: (signal: AbortSignal) => Promise<void>
}

/** Messages that are under way at once. */
const atOnce = 8
/** How often it is asked whether messages that were given up are to be sent again, in milliseconds. */
const lookEvery = 60_000

const outboxLayout = layout<Outbox>(1)

export async function readOutbox(store: Store, name: string): Promise<Outbox> {
  return { ...emptyOutbox, ...outboxLayout.open(`The outbox of ${name}`, await store.get(`${name}/post`)) }
}

/** Asks that messages which were given up be sent again, by the worker that sends those of this name. */
export async function askAgain(store: Store, name: string, keep: KeepOptions): Promise<void> {
  await store.update(`${name}/revive`, (old) => ((old as number | undefined) ?? 0) + 1, keep)
}

/**
 * Sends messages until all are taken or given up. Each is sent at least once: what was sent is written down after it was
 * taken, so a message may come twice when the engine ends in between, and always with the same id.
 */
export async function deliver(options: DeliverOptions): Promise<void> {
  const { source, store, name, keep, clock, signal } = options
  const underWay = new Set<string>()
  let outbox = await readOutbox(store, name)
  let kept = outbox
  let looked: string | undefined
  let isEnd = false
  let stir = Promise.withResolvers<void>()

  const save = async (): Promise<void> => {
    if (outbox === kept) return
    const written = outbox
    await store.set(`${name}/post`, outboxLayout.seal(written), keep())
    kept = written
  }
  const fill = async (): Promise<void> => {
    outbox = revive(outbox, ((await store.get(`${name}/revive`)) as number | undefined) ?? 0, clock.now())
    const room = roomIn(outbox)
    if (room === 0) return
    const found = await source.after(looked ?? outbox.read, room)
    const { messages } = found
    isEnd = found.isEnd
    // Not kept: what the receiver does not want is passed over once more by the next engine, and that is all.
    looked = found.upTo
    outbox = addTo(outbox, messages, clock.now())
  }
  const attempt = async (id: string): Promise<void> => {
    underWay.add(id)
    try {
      const outcome = await options.send(id, signal)
      outbox = recordDelivery(outbox, id, outcome, clock.now())
    } finally {
      underWay.delete(id)
      stir.resolve()
    }
  }
  let fault: { readonly error: unknown } | undefined
  const startDue = (): void => {
    const due = dueIn(outbox, clock.now()).filter(({ id }) => !underWay.has(id))
    for (const { id } of due.slice(0, atOnce - underWay.size)) {
      void attempt(id).catch((error: unknown) => {
        fault = { error }
      })
    }
  }

  /** Until a message was tried, one is due, or there may be more of them. */
  const rest = async (): Promise<void> => {
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    // A message that is under way stirs when it is done.
    const ripe = dueIn(outbox, clock.now()).every(({ id }) => underWay.has(id)) && underWay.size > 0
    const next = Math.min(ripe ? Infinity : nextTime(outbox, clock.now()), clock.now() + lookEvery)
    const waits = [stir.promise, options.asked(either), clock.sleep(Math.max(next - clock.now(), 1), either)]
    if (!isEnd && roomIn(outbox) > 0) waits.push(source.changed(either))
    try {
      await Promise.race(waits)
    } finally {
      stop.abort()
    }
  }

  for (;;) {
    signal.throwIfAborted()
    if (fault) throw fault.error
    stir = Promise.withResolvers()
    await fill()
    startDue()
    await save()
    const isDone = outbox.isStopped || (isEnd && isQuiet(outbox))
    if (isDone && underWay.size === 0 && outbox === kept) return
    await rest()
  }
}

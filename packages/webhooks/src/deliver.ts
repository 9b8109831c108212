import { randomUUID } from 'node:crypto'

import { EngineError, type Clock, type KeepOptions, type Store, type Value } from '@harvestman/ports'
import { layout } from '@harvestman/coordination'
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
import type { Backlog } from './backlog.ts'
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
  /** Corrects what an earlier sender has written, before this one begins. */
  readonly correct?: (outbox: Outbox) => Outbox
  /** Counts the messages that were read and not delivered, while this sender works. */
  readonly backlog?: Backlog | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Resolves when it may have been asked that messages be sent again. */
  readonly asked: (signal: AbortSignal) => Promise<void>
}

/** Messages that are under way at once. */
const atOnce = 8
/** How often it is asked whether messages that were given up are to be sent again, in milliseconds. */
const lookEvery = 60_000

const outboxLayout = layout<Outbox>(1, {})

/** Reads what is left to send under a name. */
export async function readOutbox(store: Store, name: string): Promise<Outbox> {
  return openKept(name, await store.get(`${name}/post`))
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
  try {
    await deliverAll(options)
  } finally {
    options.backlog?.set(options.name, 0)
  }
}

async function deliverAll(options: DeliverOptions): Promise<void> {
  const { source, store, name, clock, signal } = options
  const outbox = await openOutbox(options)
  const sender = makeSender(outbox, options)
  let looked: string | undefined
  let isEnd = false

  const fill = async (): Promise<void> => {
    const asked = ((await store.get(`${name}/revive`)) as number | undefined) ?? 0
    outbox.now = revive(outbox.now, asked, clock.now())
    const room = roomIn(outbox.now)
    if (room === 0) return
    const found = await source.after(looked ?? outbox.now.read, room)
    isEnd = found.isEnd
    // Not kept: what the receiver does not want is passed over once more by the next engine, and that is all.
    looked = found.upTo
    outbox.now = addTo(outbox.now, found.messages, clock.now())
  }
  /** Until a message was tried, one is due, or there may be more of them. */
  const rest = async (stirred: Promise<void>): Promise<void> => {
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    const next = Math.min(sender.nextTime(), clock.now() + lookEvery)
    const waits = [stirred, options.asked(either), clock.sleep(Math.max(next - clock.now(), 1), either)]
    if (!isEnd && roomIn(outbox.now) > 0) waits.push(source.changed(either))
    try {
      await Promise.race(waits)
    } finally {
      stop.abort()
    }
  }

  for (;;) {
    signal.throwIfAborted()
    const stirred = sender.stirred()
    await fill()
    options.backlog?.set(name, outbox.now.pending.length)
    sender.startDue()
    await outbox.save()
    const isDone = outbox.now.isStopped || (isEnd && isQuiet(outbox.now))
    if (isDone && sender.isIdle() && outbox.isSaved()) return
    await rest(stirred)
  }
}

interface OpenOutbox {
  now: Outbox
  isSaved(): boolean
  save(): Promise<void>
}

/**
 * Takes the outbox over from the sender before. From then on each write replaces the one before and no other: what another
 * sender has written, or a store that was put back to an earlier state, is not written over with what is known here.
 */
async function openOutbox({ store, name, keep, correct = (outbox) => outbox }: DeliverOptions): Promise<OpenOutbox> {
  const by = randomUUID()
  let [kept, tried] = [0, 0]
  const write = async (make: (old: Outbox) => Outbox, mayReplace: (old: Outbox) => boolean): Promise<Outbox> => {
    const saves = (tried += 1)
    let isMine = true
    const written = await store.update(
      `${name}/post`,
      (old) => {
        const found = openKept(name, old)
        isMine = mayReplace(found)
        return isMine ? outboxLayout.seal({ ...make(found), by, saves }) : old
      },
      keep(),
    )
    if (!isMine) throw new EngineError('store_failed', taken)
    kept = saves
    return openKept(name, written)
  }
  const isOwn = (old: Outbox): boolean => old.by === by && (old.saves ?? 0) >= kept
  let saved = await write(correct, () => true)
  const outbox: OpenOutbox = {
    now: saved,
    isSaved: () => outbox.now === saved,
    save: async () => {
      if (outbox.isSaved()) return
      const written = outbox.now
      await write(() => written, isOwn)
      saved = written
    },
  }
  return outbox
}

const taken = 'The messages are sent by another process now, or the store was put back to an earlier state.'

function openKept(name: string, kept: Value | undefined): Outbox {
  return { ...emptyOutbox, ...outboxLayout.open(`The outbox of ${name}`, kept) }
}

interface Sender {
  /** Tries what is due, as much as may be under way at once. */
  startDue(): void
  isIdle(): boolean
  /** Resolves when a message was tried from now on. Throws when one could not be. */
  stirred(): Promise<void>
  /** When there is something to start; a message that is under way stirs when it is done. */
  nextTime(): number
}

function makeSender(outbox: OpenOutbox, { send, clock, signal }: DeliverOptions): Sender {
  const underWay = new Set<string>()
  let stir = Promise.withResolvers<void>()
  let fault: { readonly error: unknown } | undefined
  const due = (): readonly string[] => dueIn(outbox.now, clock.now()).map(({ id }) => id)
  const attempt = async (id: string): Promise<void> => {
    underWay.add(id)
    try {
      const outcome = await send(id, signal)
      outbox.now = recordDelivery(outbox.now, id, outcome, clock.now())
    } finally {
      underWay.delete(id)
      stir.resolve()
    }
  }
  return {
    startDue: () => {
      const fresh = due().filter((id) => !underWay.has(id))
      for (const id of fresh.slice(0, atOnce - underWay.size)) {
        void attempt(id).catch((error: unknown) => (fault = { error }))
      }
    },
    isIdle: () => underWay.size === 0,
    stirred: () => {
      if (fault) throw fault.error
      stir = Promise.withResolvers()
      return stir.promise
    },
    nextTime: () =>
      underWay.size > 0 && due().every((id) => underWay.has(id)) ? Infinity : nextTime(outbox.now, clock.now()),
  }
}

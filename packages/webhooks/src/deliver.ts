import { randomUUID } from 'node:crypto'

import { EngineError, type Clock, type KeepOptions, type Store, type Value } from '@harvestman/ports'
import { layout } from '@harvestman/coordination'
import {
  addTo,
  dueIn,
  emptyOutbox,
  isSettled,
  nextTime,
  retryFailed,
  countReadable,
  recordDelivery,
  type Outbox,
  type Notice,
} from './outbox.ts'
import type { Backlog } from './backlog.ts'
import type { Delivery } from './send.ts'

/** Source of messages, which can be read again at any time, in order. */
export interface Source {
  /**
   * Returns messages after the given one, and the id up to which there are no others. `isEnd`: there will be no more messages
   * after these.
   */
  after(
    id: string | undefined,
    most: number,
  ): Promise<{ readonly messages: readonly Notice[]; readonly upTo: string | undefined; readonly isEnd: boolean }>
  /** Resolves when there may be more messages. */
  changed(signal: AbortSignal): Promise<void>
}

export interface DeliverOptions {
  readonly source: Source
  readonly send: (id: string, signal: AbortSignal) => Promise<Delivery>
  readonly store: Store
  readonly name: string
  readonly keep: () => KeepOptions
  /** Corrects the outbox of an earlier sender before this one starts. */
  readonly correct?: (outbox: Outbox) => Outbox
  /** Counts the messages that were read but not delivered, while this sender runs. */
  readonly backlog?: Backlog | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Resolves when failed messages may have to be sent again. */
  readonly redeliveryRequested: (signal: AbortSignal) => Promise<void>
}

/** Maximum number of concurrent deliveries. */
const atOnce = 8
/** Polling interval for requests to send failed messages again, in milliseconds. */
const pollInterval = 60_000

const outboxLayout = layout<Outbox>(1, {})

/** Reads the outbox of a name. It is empty if nothing was stored. Rejects if the store fails. */
export async function readOutbox(store: Store, name: string): Promise<Outbox> {
  return openKept(name, await store.get(`${name}/post`))
}

/**
 * Requests that failed messages are sent again by the worker that sends the messages of this name. Rejects if the store fails.
 */
export async function requestRedelivery(store: Store, name: string, keep: KeepOptions): Promise<void> {
  await store.update(`${name}/revive`, (old) => ((old as number | undefined) ?? 0) + 1, keep)
}

/**
 * Sends messages until all are accepted or have failed for good. Each is sent at least once: progress is saved after a
 * delivery, so if the engine ends in between, a message is sent twice, always with the same id. Rejects if it is aborted, the
 * store fails, or another process has taken over (`store_failed`).
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
    const revived = ((await store.get(`${name}/revive`)) as number | undefined) ?? 0
    outbox.now = retryFailed(outbox.now, revived, clock.now())
    const room = countReadable(outbox.now)
    if (room === 0) return
    const found = await source.after(looked ?? outbox.now.read, room)
    isEnd = found.isEnd
    // Not saved: the next engine skips messages that the receiver does not want once more, which is harmless.
    looked = found.upTo
    outbox.now = addTo(outbox.now, found.messages, clock.now())
  }
  /** Waits until a delivery has ended, a message is due, or there may be more messages. */
  const rest = async (woken: Promise<void>): Promise<void> => {
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    const next = Math.min(sender.nextTime(), clock.now() + pollInterval)
    const waits = [woken, options.redeliveryRequested(either), clock.sleep(Math.max(next - clock.now(), 1), either)]
    if (!isEnd && countReadable(outbox.now) > 0) waits.push(source.changed(either))
    try {
      await Promise.race(waits)
    } finally {
      stop.abort()
    }
  }

  for (;;) {
    signal.throwIfAborted()
    const woken = sender.woken()
    await fill()
    options.backlog?.set(name, outbox.now.pending.length)
    sender.startDue()
    await outbox.save()
    const isDone = outbox.now.isStopped || (isEnd && isSettled(outbox.now))
    if (isDone && sender.isIdle() && outbox.isSaved()) return
    await rest(woken)
  }
}

interface OpenOutbox {
  now: Outbox
  isSaved(): boolean
  save(): Promise<void>
}

/**
 * Takes over the outbox from the previous sender. From then on each write replaces only this sender's previous one: it does not
 * overwrite what another sender has written, or an earlier state of a restored store.
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
  /** Starts the messages that are due, up to the maximum number of concurrent deliveries. */
  startDue(): void
  isIdle(): boolean
  /** Resolves when a delivery has ended after this call. Throws if one failed with an internal error. */
  woken(): Promise<void>
  /** Returns when the next message is due. Running deliveries resolve `stirred` when they end. */
  nextTime(): number
}

function makeSender(outbox: OpenOutbox, { send, clock, signal }: DeliverOptions): Sender {
  const underWay = new Set<string>()
  let wake = Promise.withResolvers<void>()
  let fault: { readonly error: unknown } | undefined
  const due = (): readonly string[] => dueIn(outbox.now, clock.now()).map(({ id }) => id)
  const attempt = async (id: string): Promise<void> => {
    underWay.add(id)
    try {
      const outcome = await send(id, signal)
      outbox.now = recordDelivery(outbox.now, id, outcome, clock.now())
    } finally {
      underWay.delete(id)
      wake.resolve()
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
    woken: () => {
      if (fault) throw fault.error
      wake = Promise.withResolvers()
      return wake.promise
    },
    nextTime: () =>
      underWay.size > 0 && due().every((id) => underWay.has(id)) ? Infinity : nextTime(outbox.now, clock.now()),
  }
}

// Embeds the chunks of the index in the background.
import type { Embeddings, Usage } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeSequence } from '@harvestman/toolbox/sequence'

import type { IndexThread } from './thread.ts'
import { toBytes } from './vectors.ts'

export interface Embedder {
  /** Embeds the chunks of a team that have no vector, soon. */
  wake(team: string): void
  /** Resolves when all chunks of a team have a vector, or the model has failed. */
  settled(team: string): Promise<void>
  close(): Promise<void>
}

export interface EmbedderOptions {
  readonly embeddings: Embeddings
  readonly thread: IndexThread
  /** Called before chunks are embedded. Rejects if the team cannot pay. */
  reserve(team: string): Promise<Payment>
  warn(message: string): void
}

/** A reservation of the credits of a team. */
export interface Payment {
  settle(usage: Usage): Promise<void>
  giveBack(): Promise<void>
}

const batch = 64
/** In milliseconds. */
const delays = { gathering: 500, afterFailure: 60_000 }

/**
 * Creates an embedder. After a failure, it does not embed chunks of the team for a minute. The chunks are then found by their
 * words only.
 */
export function makeEmbedder({ embeddings, thread, reserve, warn }: EmbedderOptions): Embedder {
  const stop = new AbortController()
  const sequence = makeSequence()
  const pausedUntil = recentlyUsed<string, number>(1_000)
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const embedAll = async (team: string): Promise<void> => {
    if ((pausedUntil.get(team) ?? 0) > performance.now()) return
    const done = new Set<string>()
    try {
      while (!stop.signal.aborted && (await embedBatch(team, done, { embeddings, thread, reserve }, stop.signal)));
    } catch (error) {
      if (stop.signal.aborted) return
      pausedUntil.set(team, performance.now() + delays.afterFailure)
      warn(`Chunks of pages could not be embedded, and are found by their words only. ${errorMessage(error)}`)
    }
  }
  const run = (): void => {
    timer = undefined
    for (const team of waiting) void sequence.run(() => embedAll(team))
    waiting.clear()
  }
  return {
    wake: (team) => {
      waiting.add(team)
      timer ??= setTimeout(run, delays.gathering).unref()
    },
    settled: (team) => sequence.run(() => embedAll(team)),
    close: async () => {
      clearTimeout(timer)
      stop.abort()
      await sequence.idle()
    },
  }
}

/** Embeds one batch. Returns whether there may be more. `done` has the chunks that were embedded before. */
async function embedBatch(
  team: string,
  done: Set<string>,
  { embeddings, thread, reserve }: Pick<EmbedderOptions, 'embeddings' | 'thread' | 'reserve'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { name: model } = embeddings
  const chunks = await thread.ask({ kind: 'pending', team, model, limit: batch }, signal)
  // Another process with another model on the same folder would undo the work.
  if (chunks.every(({ hash }) => done.has(hash))) return false
  const payment = await reserve(team)
  try {
    const texts = chunks.map(({ text }) => text)
    const { vectors, usage } = await embeddings.embed(texts, 'document', signal)
    const stored = chunks.flatMap(({ hash }, index) => {
      const vector = vectors[index]
      return vector ? [{ hash, vector: toBytes(vector) }] : []
    })
    await thread.ask({ kind: 'store', team, model, vectors: stored }, signal)
    await payment.settle(usage)
  } catch (error) {
    await payment.giveBack()
    throw error
  }
  for (const { hash } of chunks) done.add(hash)
  return true
}
